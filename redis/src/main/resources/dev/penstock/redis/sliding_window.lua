-- Sliding window: the count of the current window, plus the count of the previous one weighted by the part of it that
-- still overlaps. The arithmetic of SlidingWindowRule.java.
--
-- State, in the order in which it is stored:
--   window     the number of the window since 1970
--   count      the permits used in it
--   previous   the permits used in the previous window
-- Rule: tick in microseconds; capacity and debt in permits; window: its length in ticks. Parameters and results of the
-- functions: see token_bucket.lua.

local function newSlidingWindow()
  local floor, min, max = math.floor, math.min, math.max
  local sliding = {}

  local function windowAt(rule, time)
    return floor(floor(time / rule.tick) / rule.window)
  end

  function sliding.roll(window, count, previous, rule, account, now)
    local current = windowAt(rule, now)
    local ahead = current - window
    if ahead == 0 or ahead == -1 then
      return window, count, previous, false
    elseif ahead < 0 then -- the clock was set back
      return current + 1, count, previous, true
    end
    return current, 0, ahead == 1 and count or 0, false
  end

  function sliding.fits(window, count, previous, rule, account, cost, now)
    local free = rule.capacity - count - account.held - cost
    if free < 0 then
      return false
    end
    local ticksLeft = rule.window - max(0, floor(now / rule.tick) - window * rule.window)
    if previous <= rule.capacity + rule.debt then
      return previous * ticksLeft <= free * rule.window
    end
    -- counted under a far larger limit, so the product may be inexact
    return previous <= floor(free * rule.window / ticksLeft)
  end

  function sliding.charge(window, count, previous, rule, account, cost)
    return window, count + cost, previous
  end

  -- Charges the cost even if it does not fit, up to the allowed debt.
  function sliding.force(window, count, previous, rule, account, cost, at)
    if windowAt(rule, at) > window then
      window, count, previous = sliding.roll(window, count, previous, rule, account, at)
    end
    local amount = max(0, min(cost, rule.capacity + rule.debt - count))
    return window, count + amount, previous, amount
  end

  function sliding.idleAt(window, count, previous, rule, account, now)
    if count == 0 and previous == 0 then
      return 0
    end
    return (min(window, windowAt(rule, now) + 1) + (count > 0 and 2 or 1)) * rule.window * rule.tick
  end

  function sliding.longest(rule)
    return 3 * rule.window * rule.tick
  end

  return sliding
end
