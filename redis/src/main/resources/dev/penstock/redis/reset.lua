-- Announces a reset to all nodes. They read the list of the most recent resets with their next heartbeat.
--
-- KEYS   1  the list, separated by spaces: r1, its name, the number of the newest reset, and the resets, newest first.
--           Nodes of an earlier version write another text, and only check whether the text has changed
-- ARGV   1  the name of the list, if it is a new one
--        2  the accounts that are reset: their fingerprints, separated by commas; * for all
--        3  how long the list is kept, in milliseconds
-- Reply  1  the number of this reset

local MOST_RESETS, MOST_BYTES = 64, 4096
local text = redis.call('GET', KEYS[1])
local name, number, known = string.match(text or '', '^r1 (%w+) (%d+) (.*)$')
local resets, bytes = {ARGV[2]}, #ARGV[2]
if name then
  for reset in string.gmatch(known, '%S+') do
    bytes = bytes + 1 + #reset
    if #resets == MOST_RESETS or bytes > MOST_BYTES then
      break
    end
    resets[#resets + 1] = reset
  end
elseif text then
  resets[1] = '*' -- an earlier version does not record which accounts it reset
end
number = tonumber(number or 0) + 1
redis.call('SET', KEYS[1], string.format('r1 %s %d %s', name or ARGV[1], number, table.concat(resets, ' ')), 'PX', ARGV[3])
return {number}
