-- A token bucket on one key, as short as it can be while it still answers what a caller needs.
--
-- KEYS[1]  the time in microseconds at which the bucket is full again
-- ARGV     microseconds for one permit; microseconds for all of them
-- Answers: 1 allowed or 0 denied; how many microseconds are left of the burst, or are missing
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local full = tonumber(redis.call('GET', KEYS[1])) or now
if full < now then
  full = now
end
full = full + ARGV[1]
local left = now + ARGV[2] - full
if left < 0 then
  return {0, -left}
end
redis.call('SET', KEYS[1], full, 'PX', math.ceil((full - now) / 1000))
return {1, left}
