-- Takes an id for a request in the id's own slot, since in a Cluster what it is charged to may lie in any; or lets go of it
-- for one that was denied. The key counts who took it and did not let go: it is gone when nobody is left.
--   KEYS[1]  the id's: how many, a space, and the fingerprint of their request
--   ARGV[1]  take or let go
--   ARGV[2]  the request's own fingerprint
--   ARGV[3]  how long the id is kept for it, in milliseconds
-- Reply: the time; 1 where the id is that request's, 0 where it is another's.

local takers, owner = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+) (.*)$')
if owner and owner ~= ARGV[2] then
  return {now, 0}
end
takers = tonumber(takers or 0)
if ARGV[1] == 'take' then
  redis.call('SET', KEYS[1], string.format('%d ', takers + 1) .. ARGV[2], 'PX', string.format('%d', ARGV[3] + SPARE_MS))
elseif takers > 1 then
  redis.call('SET', KEYS[1], string.format('%d ', takers - 1) .. ARGV[2], 'KEEPTTL')
elseif owner then
  redis.call('DEL', KEYS[1])
end
return {now, 1}
