-- Concurrency: limits the number of slots in use. Everything is held, nothing is ever charged. The arithmetic of
-- ConcurrencyRule.java.
--
-- State: no numbers; the slots in use are the holds of the account (holds.lua).
-- Rule: capacity: the number of slots; ttl: the time in microseconds after which a slot whose holder disappeared is
-- freed. Parameters and results of the functions: see token_bucket.lua.

local function newConcurrency()
  local slots = {isAlwaysHeld = true}

  function slots.roll()
    return 0, 0, 0, false
  end

  function slots.fits(_, _, _, rule, account, cost)
    return account.held + cost <= rule.capacity
  end

  function slots.force()
    return 0, 0, 0, 0
  end

  function slots.idleAt()
    return 0
  end

  function slots.longest()
    return 0
  end

  return slots
end
