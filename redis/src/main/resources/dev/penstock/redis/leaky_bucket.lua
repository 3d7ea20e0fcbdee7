-- Leaky bucket: the state of a token bucket, read as a queue. The backlog is how long the next request waits for its
-- turn. The arithmetic of LeakyBucketRule.java. State and rule: see token_bucket.lua.
--
-- A turn is given when the request is decided, so a reserved cost is charged at once and weighs nothing as a hold.

local function newLeakyBucket()
  local floor, ceil = math.floor, math.ceil
  local leaky = newTokenBucket()
  leaky.chargesHolds = true

  -- How many ticks an allowed request waits for its turn, behind what the same request asked for before.
  function leaky.turn(fullAt, rest, rule, ahead, now)
    return ceil((leaky.backlog(fullAt, rest, rule, now) + ahead * rule.p) / rule.n)
  end

  -- Gives back permits that were charged last.
  function leaky.giveBack(fullAt, rest, rule, permits)
    local back = permits * rule.p
    local left = rest - back % rule.n
    fullAt = fullAt - floor(back / rule.n)
    if left < 0 then
      return fullAt - 1, left + rule.n, 0
    end
    return fullAt, left, 0
  end

  return leaky
end
