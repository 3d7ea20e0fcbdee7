-- Records that a node is alive. Returns the number of nodes and the most recent resets.
--
-- KEYS   1  the nodes: a sorted set, by the time in milliseconds until which each node counts
--        2  the most recent resets, see reset.lua
--        3  the announcements of the nodes about themselves: a hash, by name
-- ARGV   1  the name of this node
--        2  how long it counts, in milliseconds
--        3  its announcement; empty for none
-- Reply  1  the number of nodes
--        2  the most recent resets; empty if there are none

local nodes, announcements, life = KEYS[1], KEYS[3], tonumber(ARGV[2])
local nowMs = math.floor(now / 1000)
redis.call('ZADD', nodes, string.format('%d', nowMs + life), ARGV[1])
-- Remove nodes whose time is up, and those that wrote before the clock was set back. If they are alive, they will write
-- again.
local ranges = {{'-inf', string.format('%d', nowMs)}, {string.format('(%d', nowMs + life), '+inf'}}
for _, range in ipairs(ranges) do
  local gone = redis.call('ZRANGEBYSCORE', nodes, range[1], range[2], 'LIMIT', '0', '1000')
  if #gone > 0 then
    redis.call('ZREM', nodes, unpack(gone))
    redis.call('HDEL', announcements, unpack(gone))
  end
end
redis.call('PEXPIRE', nodes, string.format('%d', life + SPARE_MS))
if ARGV[3] ~= '' then
  redis.call('HSET', announcements, ARGV[1], ARGV[3])
  redis.call('PEXPIRE', announcements, string.format('%d', life + SPARE_MS))
end
return {redis.call('ZCARD', nodes), redis.call('GET', KEYS[2]) or ''}
