-- When the key of a bucket expires.
--
-- A key may go as soon as its state no longer matters. For a bucket that moment moves with every charge, so it is
-- rounded up to a step: at least four seconds, or a 32nd of the time that the bucket takes to fill. Most charges then
-- leave the time to live of the key as it is, and Redis adds to the value in place.

-- The length of a step in microseconds.
local function expiryStep(rule)
  return math.max(4000000, math.floor(rule.capacity * rule.p / rule.n / 32) * rule.tick)
end
