-- Token bucket: a burst of up to the capacity, then exactly the rate. The arithmetic of BucketRule.java.
--
-- State, in the order in which it is stored:
--   fullAt   the tick at which the bucket is full again
--   rest     n-ths of a tick to be added to fullAt, from 0 to n - 1
-- Rule: tick in microseconds; capacity and debt in permits; n and p: a permit comes back after p / n ticks; ceiling and
-- mostBacklog in n-ths of a tick.
--
-- The backlog is the part of the bucket that is not back yet, in n-ths of a tick: p for each permit used. Every sum,
-- product and quotient is an integer below 2^53, so doubles are exact.
--
-- The functions of all algorithms take the numbers of the state first, then the rule of the state, the account
-- (held, entries), the cost and the time in microseconds. They change nothing and return the new numbers. They are
-- created when a script first needs them, because creating one costs Redis about 0.1 us in every call.

local function newTokenBucket()
  local floor, min = math.floor, math.min
  local bucket = {}

  -- The backlog in n-ths of a tick, at most the ceiling.
  function bucket.backlog(fullAt, rest, rule, now)
    local whole = fullAt - floor(now / rule.tick)
    return whole < 0 and 0 or min(whole * rule.n + rest, rule.ceiling)
  end

  -- The fullAt and rest of a backlog.
  local function fromBacklog(backlog, rule, now)
    return floor(now / rule.tick) + floor(backlog / rule.n), backlog % rule.n
  end

  -- Advances the state to now. A backlog above the ceiling means that the clock was set back. It is then cut to the
  -- ceiling, and the fourth result is true, because the state must be stored whatever the outcome.
  function bucket.roll(fullAt, rest, unused, rule, account, now)
    local whole = fullAt - (now - now % rule.tick) / rule.tick -- floor, without a function call
    if whole * rule.n + rest <= rule.ceiling then
      return fullAt, rest, 0, false
    end
    fullAt, rest = fromBacklog(rule.ceiling, rule, now)
    return fullAt, rest, 0, true
  end

  function bucket.fits(fullAt, rest, unused, rule, account, cost, now)
    local whole = fullAt - (now - now % rule.tick) / rule.tick
    local backlog = whole < 0 and 0 or whole * rule.n + rest
    local wanted = account.held + cost
    return wanted <= rule.capacity and backlog + wanted * rule.p <= rule.capacity * rule.p
  end

  function bucket.charge(fullAt, rest, unused, rule, account, cost, now)
    local ticks, amount, n = (now - now % rule.tick) / rule.tick, cost * rule.p, rule.n
    if fullAt < ticks then
      fullAt, rest = ticks, 0
    end
    local part = amount % n
    fullAt, rest = fullAt + (amount - part) / n, rest + part
    if rest >= n then
      return fullAt + 1, rest - n, 0
    end
    return fullAt, rest, 0
  end

  -- Charges the cost even if it does not fit, up to the allowed debt. The fourth result is the amount charged, in whole
  -- permits, rounded down.
  function bucket.force(fullAt, rest, unused, rule, account, cost, at)
    local most = rule.capacity + rule.debt
    local before = bucket.backlog(fullAt, rest, rule, at)
    local after = min(before + min(cost, most) * rule.p, most * rule.p)
    if after <= before then
      return fullAt, rest, 0, 0
    end
    fullAt, rest = fromBacklog(after, rule, at)
    return fullAt, rest, 0, floor((after - before) / rule.p)
  end

  -- When everything is back, as seen from now.
  function bucket.idleAt(fullAt, rest, unused, rule, account, now)
    local full = rest == 0 and fullAt or fullAt + 1
    return min(full, floor(now / rule.tick) + floor(rule.ceiling / rule.n) + 1) * rule.tick
  end

  -- When the key of a bucket that is not full expires.
  function bucket.keyExpiry(fullAt, rest, unused, rule)
    local time, step = (fullAt + 1) * rule.tick, rule.expiryStep or expiryStep(rule)
    return time - time % step + step
  end

  -- The longest time for which a hold can keep the state alive after the hold expires.
  function bucket.longest(rule)
    return (floor(rule.ceiling / rule.n) + 1) * rule.tick
  end

  -- Returns floor(x * y / z), and whether there is a remainder, for x < z. The product may exceed 2^53, so it is
  -- computed bit by bit, and only until it exceeds most.
  local function productOver(x, y, z, most)
    local bits, result, remainder = {}, 0, 0
    while y > 0 do
      bits[#bits + 1] = y % 2
      y = floor(y / 2)
    end
    for i = #bits, 1, -1 do
      result = result * 2
      if remainder >= z - remainder then
        remainder, result = remainder - (z - remainder), result + 1
      else
        remainder = remainder + remainder
      end
      if bits[i] == 1 then
        if remainder >= z - x then
          remainder, result = remainder - (z - x), result + 1
        else
          remainder = remainder + x
        end
      end
      if result > most then
        return most + 1, false
      end
    end
    return result, remainder > 0
  end

  -- Converts a state to a rule with other numbers. The amount used stays used, at the new rate. A backlog above the
  -- ceiling of the new rule is kept under its own, higher ceiling. Returns the numbers, their rule, and whether the
  -- state must be stored whatever the outcome.
  function bucket.adopt(fullAt, rest, unused, old, rule, now)
    if old.tick == rule.tick and old.capacity == rule.capacity and old.debt == rule.debt and old.n == rule.n
        and old.p == rule.p and old.ceiling == rule.ceiling then
      return fullAt, rest, 0, rule, false
    end
    local used = bucket.backlog(fullAt, rest, old, now)
    local permits, part = floor(used / old.p), used % old.p
    local backlog = rule.mostBacklog
    if permits <= rule.mostBacklog / rule.p then
      local share, hasMore = productOver(part, rule.p, old.p, rule.mostBacklog)
      backlog = min(permits * rule.p + share + (hasMore and 1 or 0), rule.mostBacklog)
    end
    if backlog == 0 then
      return 0, 0, 0, rule, true
    end
    fullAt, rest = fromBacklog(backlog, rule, now)
    if backlog > rule.ceiling then
      rule = setmetatable({ceiling = backlog}, {__index = rule})
    end
    return fullAt, rest, 0, rule, true
  end

  return bucket
end
