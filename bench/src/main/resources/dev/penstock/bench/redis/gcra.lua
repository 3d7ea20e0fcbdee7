-- A token bucket on one key, as short as possible while it still returns what a caller needs.
--
-- KEYS[1]  the time in microseconds at which the bucket is full again
-- ARGV     microseconds per permit; microseconds for the whole burst
-- Returns  1 if allowed, otherwise 0; the microseconds that are left of the burst, or missing
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
