-- Fixed windows, all of the same length or by the calendar: one count per window. The arithmetic of
-- FixedWindowRule.java.
--
-- State, in the order in which it is stored:
--   start   the start of the window, in microseconds
--   count   the permits used in it
-- Rule: capacity and debt in permits; length in microseconds, or boundaries: the starts of the windows of a calendar
-- around now, in microseconds and in order. Parameters and results of the functions: see token_bucket.lua.
--
-- If the clock was set back, the stored window can be later than the next window. It is then moved to the next window
-- and keeps its count.

local function newFixedWindow()
  local min, max = math.min, math.max
  local fixed = {}

  -- The start of the window that contains a time, and the start of the next window.
  local function windowAt(rule, time)
    if rule.length then
      local start = time - time % rule.length
      return start, start + rule.length
    end
    local boundaries = rule.boundaries
    for i = #boundaries - 1, 1, -1 do
      if boundaries[i] <= time then
        return boundaries[i], boundaries[i + 1]
      end
    end
  end

  function fixed.roll(start, count, unused, rule, account, now)
    local current, following = windowAt(rule, now)
    if start == current or start == following then
      return start, count, 0, false
    elseif start < current then
      return current, 0, 0, false
    end
    return following, count, 0, true
  end

  function fixed.fits(start, count, unused, rule, account, cost)
    return count + account.held + cost <= rule.capacity
  end

  function fixed.charge(start, count, unused, rule, account, cost)
    return start, count + cost, 0
  end

  -- Charges the cost even if it does not fit, up to the allowed debt.
  function fixed.force(start, count, unused, rule, account, cost, at)
    if windowAt(rule, at) > start then
      start, count = fixed.roll(start, count, 0, rule, account, at)
    end
    local amount = max(0, min(cost, rule.capacity + rule.debt - count))
    return start, count + amount, 0, amount
  end

  function fixed.idleAt(start, count, unused, rule, account, now)
    if count == 0 then
      return 0
    end
    local _, following = windowAt(rule, now)
    return start < following and following or following + fixed.longest(rule) / 2
  end

  function fixed.longest(rule)
    if rule.length then
      return 2 * rule.length
    end
    local longest = 0
    for i = 2, #rule.boundaries do
      longest = max(longest, rule.boundaries[i] - rule.boundaries[i - 1])
    end
    return 2 * longest
  end

  return fixed
end
