-- Takes an id for a request in the id's own slot, since in a Cluster what it is charged to may lie in any.
--   KEYS[1]  the id's
--   ARGV[1]  the request's own fingerprint
--   ARGV[2]  how long the id is kept for it, in milliseconds
-- Reply: the time; 1 where the id is that request's, 0 where it is another's.

local owner = redis.call('GET', KEYS[1])
if owner and owner ~= ARGV[1] then
  return {now, 0}
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', tonumber(ARGV[2]) + SPARE_MS)
return {now, 1}
