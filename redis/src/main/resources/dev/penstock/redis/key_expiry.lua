-- The expiry of the key of a bucket.
--
-- A key may be deleted as soon as its state no longer matters. For a bucket, that time moves with every charge, so it
-- is rounded up to a step. A step is at least four seconds, or a 32nd of the time that the bucket takes to fill if that
-- is more. Most charges then leave the time to live of the key unchanged, and Redis increments the value in place.

-- The length of a step in microseconds.
local function expiryStep(rule)
  return math.max(4000000, math.floor(rule.capacity * rule.p / rule.n / 32) * rule.tick)
end
