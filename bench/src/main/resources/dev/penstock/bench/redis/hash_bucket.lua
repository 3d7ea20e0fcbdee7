-- A token bucket on one key as most articles and gateways write it: tokens and a time in a hash, with fractions.
--
-- KEYS[1]  the hash: the tokens that were left, and when, in seconds
-- ARGV     capacity; permits per second; cost
-- Returns  1 if allowed, otherwise 0; the tokens that are left, rounded down
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
local capacity, rate, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local state = redis.call('HMGET', KEYS[1], 'tokens', 'time')
local tokens, since = tonumber(state[1]) or capacity, tonumber(state[2]) or now
tokens = math.min(capacity, tokens + math.max(0, now - since) * rate)
if tokens < cost then
  return {0, tokens}
end
redis.call('HSET', KEYS[1], 'tokens', tokens - cost, 'time', now)
redis.call('EXPIRE', KEYS[1], math.ceil(capacity / rate) * 2)
return {1, tokens - cost}
