-- When a key goes: when its state does not matter any more. That of a bucket moves with every charge, so it goes in steps,
-- of at least four seconds and otherwise a 32nd of the time that the bucket takes to fill: most charges then leave
-- the key's time to live as it is, which is most of what they would cost.
local function keyStep(tick, capacity, n, p)
  return math.max(4000000, math.floor(capacity * p / n / 32) * tick)
end

-- The first step after a time.
local function nextStep(time, step)
  return time - time % step + step
end
