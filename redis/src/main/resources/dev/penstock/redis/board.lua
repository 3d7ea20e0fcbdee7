-- Short texts that nodes share, each under a name and for a time.
--   KEYS[1]  the board: a hash, of each name the time until which it counts, in milliseconds, a space, and the text
--   ARGV[1]  how many there may be
--   ARGV[2]  the name to be changed, or an empty one where this one only reads
--   ARGV[3]  for how long, in milliseconds; 0 takes it away
--   ARGV[4]  the text
-- Reply: name, milliseconds left, text, and so on of all that count then; -1, and nothing is changed, where it is full.

local board, most, name, life, text = KEYS[1], tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3]), ARGV[4]
local nowMs = math.floor(now / 1000)
local fields = redis.call('HGETALL', board)
local notes, last, isThere = {}, 0, false
for i = 1, #fields, 2 do
  local at = string.find(fields[i + 1], ' ', 1, true)
  local untilMs = tonumber(string.sub(fields[i + 1], 1, at - 1))
  if fields[i] == name then
    isThere = untilMs > nowMs
  elseif untilMs > nowMs then
    notes[#notes + 1] = {fields[i], untilMs, string.sub(fields[i + 1], at + 1)}
    last = math.max(last, untilMs)
  else
    redis.call('HDEL', board, fields[i])
  end
end
if name ~= '' and life > 0 then
  if not isThere and #notes >= most then
    return {-1}
  end
  redis.call('HSET', board, name, string.format('%d', nowMs + life) .. ' ' .. text)
  notes[#notes + 1] = {name, nowMs + life, text}
  last = math.max(last, nowMs + life)
elseif name ~= '' then
  redis.call('HDEL', board, name)
end
if last > 0 then
  redis.call('PEXPIRE', board, string.format('%d', last - nowMs + SPARE_MS))
end
local reply = {}
for _, note in ipairs(notes) do
  reply[#reply + 1] = note[1]
  reply[#reply + 1] = note[2] - nowMs
  reply[#reply + 1] = note[3]
end
return reply
