-- Lockout: strikes within a window, and the block that enough of them cause. The arithmetic of LockoutRule.java.
--
-- State, in the order in which it is stored:
--   blockedUntil   in microseconds; 0 if not blocked
--   strikes        the strikes of the window
--   windowEnd      in microseconds; 0 if no window is open
-- Rule: capacity: the number of strikes that cause a block; window and lockout: the lengths of the window and the
-- block, in microseconds. Parameters and results of the functions: see token_bucket.lua.

local function newLockout()
  local min, max = math.min, math.max
  local lockout = {isNeverHeld = true}

  -- If the clock was set back, the block and the window last no longer than if they started now.
  function lockout.roll(blockedUntil, strikes, windowEnd, rule, account, now)
    local latestBlock, latestWindow = now + rule.lockout, now + rule.window
    local isTooLong = blockedUntil > latestBlock or windowEnd > latestWindow
    return min(blockedUntil, latestBlock), strikes, min(windowEnd, latestWindow), isTooLong
  end

  function lockout.fits(blockedUntil, strikes, windowEnd, rule, account, cost, now)
    return cost > 0 or blockedUntil <= now
  end

  function lockout.charge(blockedUntil, strikes, windowEnd, rule, account, cost, now)
    if blockedUntil > now then
      return blockedUntil, strikes, windowEnd
    end
    local before = windowEnd > now and strikes or 0
    if before + cost >= rule.capacity then
      return now + rule.lockout, 0, 0
    end
    return 0, before + cost, before == 0 and now + rule.window or windowEnd
  end

  function lockout.idleAt(blockedUntil, strikes, windowEnd, rule, account, now)
    return max(min(blockedUntil, now + rule.lockout), min(windowEnd, now + rule.window))
  end

  return lockout
end
