-- Short texts that nodes share, each under a name and for a limited time. The version number saves reading: a node that
-- knows the current version gets no texts.
--
-- KEYS   1  the notes: a hash, by name; each value is the time in milliseconds until which it counts, a space, and the
--           text
--        2  the version, a space, and the number of notes
-- ARGV   1  'read', 'post' or 'remove'
--        2  read: the version that the node knows, or empty; post and remove: the name of the note
--        3  post: how long the note counts, in milliseconds
--        4  post: the text
--        5  post: the maximum number of notes
-- Reply to read: the version, and if the node does not know it, the name, milliseconds left and text of every note
-- Reply to post and remove: 1; or 0 if there are too many notes, and nothing was changed

local notesKey, versionKey, verb, name = KEYS[1], KEYS[2], ARGV[1], ARGV[2]
local nowMs = math.floor(now / 1000)
local version, count = string.match(redis.call('GET', versionKey) or '', '^(%d+) (%d+)$')
count = tonumber(count or 0)

local function keepVersion()
  local life = redis.call('PTTL', notesKey)
  if life > 0 then
    redis.call('SET', versionKey, version .. string.format(' %d', count), 'PX', string.format('%d', life))
  else
    redis.call('DEL', versionKey)
  end
end

-- Returns all current notes. Deletes the others.
local function readAll()
  local fields, notes = redis.call('HGETALL', notesKey), {}
  for i = 1, #fields, 2 do
    local at = string.find(fields[i + 1], ' ', 1, true)
    local untilMs = tonumber(string.sub(fields[i + 1], 1, at - 1))
    if untilMs > nowMs then
      notes[#notes + 1] = {fields[i], untilMs - nowMs, string.sub(fields[i + 1], at + 1)}
    else
      redis.call('HDEL', notesKey, fields[i])
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
  local before = redis.call('HMGET', notesKey, name)[1]
  if not before then
    if not version or count >= tonumber(ARGV[5]) then
      readAll()
    end
    if count >= tonumber(ARGV[5]) then
      return {0}
    end
    count = count + 1
  end
  redis.call('HSET', notesKey, name, string.format('%d ', nowMs + life) .. ARGV[4])
  if redis.call('PTTL', notesKey) < life + SPARE_MS then
    redis.call('PEXPIRE', notesKey, string.format('%d', life + SPARE_MS))
  end
else
  count = math.max(0, count - redis.call('HDEL', notesKey, name))
end
version = string.format('%d', now)
keepVersion()
return {1}
