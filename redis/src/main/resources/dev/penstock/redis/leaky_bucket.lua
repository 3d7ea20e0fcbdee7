-- Leaky bucket: the state of a token bucket, read as a queue. The backlog is how long the next request waits for its
-- turn. The arithmetic of LeakyBucketRule.java. State and rule: see token_bucket.lua.
--
-- The capacity of the rule is the queue: the number of permits that may be queued at once, including the one whose turn
-- it is. With a queue of 4, four requests are allowed at once, and three of them wait.
--
-- A turn is assigned when the request is decided, so a reserved cost is charged at once and weighs nothing as a hold.

local function newLeakyBucket()
  local floor, ceil = math.floor, math.ceil
  local leaky = newTokenBucket()
  leaky.chargesHolds = true

  -- The number of ticks that an allowed request waits for its turn, behind the earlier charges of the same request.
  function leaky.turn(fullAt, rest, rule, ahead, now)
    return ceil((leaky.backlog(fullAt, rest, rule, now) + ahead * rule.p) / rule.n)
  end

  -- Gives back the permits that were charged last.
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
