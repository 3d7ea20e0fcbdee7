-- A node says that it is there, and learns how many are, and what was reset lately.
--   KEYS[1]  the nodes: a sorted set, by the time until which each counts, in milliseconds
--   KEYS[2]  the list of the last resets, see reset.lua: another text after each
--   KEYS[3]  what each of them tells of itself: a hash, by name
--   ARGV[1]  the name of this one
--   ARGV[2]  how long it counts, in milliseconds
--   ARGV[3]  what it tells of itself; empty: nothing
-- Reply: how many there are; the list of the last resets, or an empty text.

local nodes, told, life = KEYS[1], KEYS[3], tonumber(ARGV[2])
local nowMs = math.floor(now / 1000)
redis.call('ZADD', nodes, string.format('%d', nowMs + life), ARGV[1])
-- Those whose time is up, and those that wrote before the clock was set back: who is there will say so again.
local ranges = {{'-inf', string.format('%d', nowMs)}, {string.format('(%d', nowMs + life), '+inf'}}
for _, range in ipairs(ranges) do
  local gone = redis.call('ZRANGEBYSCORE', nodes, range[1], range[2], 'LIMIT', '0', '1000')
  if #gone > 0 then
    redis.call('ZREM', nodes, unpack(gone))
    redis.call('HDEL', told, unpack(gone))
  end
end
redis.call('PEXPIRE', nodes, string.format('%d', life + SPARE_MS))
if ARGV[3] ~= '' then
  redis.call('HSET', told, ARGV[1], ARGV[3])
  redis.call('PEXPIRE', told, string.format('%d', life + SPARE_MS))
end
return {redis.call('ZCARD', nodes), redis.call('GET', KEYS[2]) or ''}
