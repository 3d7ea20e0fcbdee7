-- Short texts that nodes share, each under a name and for a time. Who writes does not read, and who reads is told nothing
-- where nothing was written since: a fleet of many nodes would copy every text to every node each time.
--   KEYS[1]  the board: a hash, of each name the time until which it counts, in milliseconds, a space, and the text
--   KEYS[2]  its version, a space, and how many there are, as far as is known
--   ARGV[1]  read, post or remove
--   read:    ARGV[2]  the version that is known, or an empty one
--   post:    ARGV[2]  the name, ARGV[3] for how long, in milliseconds, ARGV[4] the text, ARGV[5] how many there may be
--   remove:  ARGV[2]  the name
-- Reply to read: the version; then, unless it is the one that is known, name, milliseconds left, text, and so on of all that
--   count. Reply to the others: 1; 0, and nothing is changed, where the board is full.

local board, versionKey, verb, name = KEYS[1], KEYS[2], ARGV[1], ARGV[2]
local nowMs = math.floor(now / 1000)
local version, count = string.match(redis.call('GET', versionKey) or '', '^(%d+) (%d+)$')
count = tonumber(count or 0)

local function keepVersion()
  local life = redis.call('PTTL', board)
  if life > 0 then
    redis.call('SET', versionKey, version .. string.format(' %d', count), 'PX', string.format('%d', life))
  else
    redis.call('DEL', versionKey)
  end
end

-- All that count, with those taken away that do not any more.
local function readAll()
  local fields, notes = redis.call('HGETALL', board), {}
  for i = 1, #fields, 2 do
    local at = string.find(fields[i + 1], ' ', 1, true)
    local untilMs = tonumber(string.sub(fields[i + 1], 1, at - 1))
    if untilMs > nowMs then
      notes[#notes + 1] = {fields[i], untilMs - nowMs, string.sub(fields[i + 1], at + 1)}
    else
      redis.call('HDEL', board, fields[i])
    end
  end
  count = #notes
  return notes
end

if verb == 'read' then
  if version and version == name then
    return {version}
  end
  local reply = {''}
  for _, note in ipairs(readAll()) do
    reply[#reply + 1], reply[#reply + 2], reply[#reply + 3] = note[1], note[2], note[3]
  end
  version = version or string.format('%d', now)
  keepVersion()
  reply[1] = version
  return reply
end

if verb == 'post' then
  local life = tonumber(ARGV[3])
  local before = redis.call('HMGET', board, name)[1]
  if not before then
    if not version or count >= tonumber(ARGV[5]) then
      readAll()
    end
    if count >= tonumber(ARGV[5]) then
      return {0}
    end
    count = count + 1
  end
  redis.call('HSET', board, name, string.format('%d ', nowMs + life) .. ARGV[4])
  if redis.call('PTTL', board) < life + SPARE_MS then
    redis.call('PEXPIRE', board, string.format('%d', life + SPARE_MS))
  end
else
  count = math.max(0, count - redis.call('HDEL', board, name))
end
version = string.format('%d', now)
keepVersion()
return {1}
