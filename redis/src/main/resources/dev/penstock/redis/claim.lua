-- Claims a request id, or releases the claim after a denial. The claim is in the slot of the id itself, because in a
-- Cluster the charges may be in any slot. The key counts the claims that were not released, and is deleted with the
-- last one.
--
-- KEYS   1  the claims of the id: their number, a space, and the fingerprint of the request
-- ARGV   1  'take' or 'let go'
--        2  the fingerprint of the request
--        3  how long a claim is kept, in milliseconds
-- Reply  1  the time in microseconds
--        2  1 if the id belongs to that request, 0 if it belongs to another

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
