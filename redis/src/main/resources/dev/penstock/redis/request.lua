-- Decides one request that travels alone, all or nothing. It does what batch.lua does for many, without the parts that
-- only many requests need, which takes half of the time. Supports the same requests as batch.lua: token buckets, fixed
-- windows (except calendar windows) and sliding windows, with nothing held, no id, and each account at most once.
-- Anything else that is found in a state (other numbers of the rule, holds, a clock that was set back) gets
-- NEEDS_DECIDE, changes nothing, and is sent to decide.lua by the node.
--
-- The arithmetic is that of token_bucket.lua, fixed_window.lua and sliding_window.lua, inlined, as in batch.lua.
-- PackedCallDifferentialIT checks that all are equal.
--
-- KEYS   the keys of the states, one per charge, each once
-- ARGV   1  integers, big-endian, of the given number of bytes:
--             width of the reply (1): 1 if every rule is a bucket with n = 1, otherwise 3
--             per charge, enforced ones first: flags (1): 1 enforced, 2 peek; cost (7); algorithm (1): 0 token bucket,
--               1 fixed window, 2 sliding window; tick in microseconds (4); capacity (7) and debt (7) in permits; n
--               of a bucket, the length of a fixed window in microseconds or that of a sliding window in ticks (7);
--               p (7) and ceiling (7) of a bucket; rule id, 0 for none (2)
-- Reply  integers in one string: the time in microseconds (7), then per charge in the order sent:
--          outcome of the request (1): 0 denied, 1 allowed, 2 needs decide.lua, 3 a key has a foreign value; plus 4 if
--            this charge exceeded its limit. The reply ends here if it is 2 or 3
--          the numbers of its state afterwards (7 each), as many as the width

local DENIED, ALLOWED, NEEDS_DECIDE, FOREIGN_VALUE, EXCEEDED = 0, 1, 2, 3, 4
local ENFORCED, PEEK = 1, 2
local BUCKET, FIXED_WINDOW = 0, 1
local KEEP = 'KEEP' -- instead of a time to live: the key keeps the one it has
local call, tryCall, sub, format, unpackNumbers = redis.call, redis.pcall, string.sub, string.format, struct.unpack
local KEYS, input = KEYS, ARGV[1]

-- Load.
local stored = call('MGET', unpack(KEYS))

-- Compute. For each charge to be made, written is an amount to add if the key keeps its short form and expiry, otherwise
-- a state, whose time to live is in lives. The reply shows each state as it was. If the request is allowed, newFirst and
-- newSecond replace its first two numbers.
local width, position, place = string.byte(input), 2, 2
local reply, written, newFirst, newSecond = {now, 0, 0, 0, 0, 0, 0}, {false, false, false}, {0, 0, 0}, nil
local lives, fullForm, isDenied = nil, nil, false
for i = 1, #KEYS do
  local flags, cost, kind, tick, capacity, n, p, ceiling, id, debt
  flags, cost, kind, tick, capacity, debt, n, p, ceiling, id, position =
    unpackNumbers('>BI7BI4I7I7I7I7I7I2', input, position)
  local text, base = stored[i], SHORT_EPOCH / tick
  local x, y, z, head = 0, 0, 0, nil -- the state, and its first bytes if it has the full form
  if not text then
    if call('EXISTS', KEYS[i]) == 1 then -- MGET does not show other types, and SET would overwrite them
      return struct.pack('>I7B', now, FOREIGN_VALUE)
    end
  elseif id > 0 and #text == 19 then
    x, y = tonumber(sub(text, 5)), (tonumber(sub(text, 1, 4)) or 0) - id
    if not x or x % 1 > 0 or y < 0 or y >= n then
      return struct.pack('>I7B', now, NEEDS_DECIDE)
    end
    x = x + base
  else
    fullForm = fullForm or newFullForm()
    head = fullForm.head(tick, capacity, debt, kind == BUCKET and n, p, ceiling)
    if sub(text, 1, #head) ~= head then
      return struct.pack('>I7B', now, NEEDS_DECIDE)
    end
    x, y, z = fullForm.decode(text, head)
    if not x then
      return struct.pack('>I7B', now, FOREIGN_VALUE)
    end
  end

  local ticks, before = (now - now % tick) / tick, x
  local fits, newX, newY, expiry, isMoved, isDoubtful
  if kind == BUCKET then -- fullAt, rest
    local backlog, amount = (x - ticks) * n + y, cost * p
    newX, newY = x, y
    if backlog > ceiling then
      return struct.pack('>I7B', now, NEEDS_DECIDE)
    elseif x < ticks then
      newX, newY, backlog = ticks, 0, 0
    end
    fits = backlog + amount <= capacity * p
    local part = amount % n
    newX, newY = newX + (amount - part) / n, newY + part
    if newY >= n then
      newX, newY = newX + 1, newY - n
    end
    local time, grid = (newX + 1) * tick, capacity * p / n / 32 -- see key_expiry.lua
    grid = (grid - grid % 1) * tick
    if grid < 4000000 then
      grid = 4000000
    end
    local sinceStep = time % grid
    expiry, isMoved = time - sinceStep + grid, sinceStep < (newX - x) * tick
  elseif kind == FIXED_WINDOW then -- start, count
    local start = now - now % n
    if x > start then
      return struct.pack('>I7B', now, NEEDS_DECIDE)
    elseif x < start then
      x, y, isMoved = start, 0, true
    end
    newX, newY = x, y + cost
    fits, expiry = newY <= capacity, x + n
  else -- window, count, previous
    local window = (ticks - ticks % n) / n
    if x > window or z > capacity + debt then
      return struct.pack('>I7B', now, NEEDS_DECIDE)
    elseif x < window then
      x, y, z, isMoved = window, 0, x == window - 1 and y or 0, true
    end
    newX, newY = x, y + cost
    local free = capacity - newY
    fits, expiry = free >= 0 and z * ((x + 1) * n - ticks) <= free * n, (x + 2) * n * tick
  end

  if fits and flags < PEEK and cost > 0 then
    reply[place], newFirst[i] = 0, newX
    if width > 1 then
      newSecond = newSecond or {0, 0, 0}
      newSecond[i] = newY
    end
    if text and not head and newY == y and not isMoved and newX < base + SHORT_TICKS then
      written[i] = format('%d', newX - before) -- INCRBY will reject a text that only looks like a state
    else
      isDoubtful, lives = text and not head, lives or {}
      lives[i] = text and not isMoved and KEEP or format('%d', (expiry - now) / 1000 + 1 + SPARE_MS)
      if id > 0 and newX >= base and newX < base + SHORT_TICKS then
        written[i] = format('%d%015d', id + newY, newX - base)
      else
        fullForm = fullForm or newFullForm()
        head = head or fullForm.head(tick, capacity, debt, kind == BUCKET and n, p, ceiling)
        written[i] = fullForm.encode(head, newX, newY, z)
      end
    end
  else
    reply[place], isDoubtful = fits and 0 or EXCEEDED, text and not head
    isDenied = isDenied or not fits and flags % PEEK == ENFORCED
  end
  if isDoubtful and string.find(text, '%D') then
    return struct.pack('>I7B', now, NEEDS_DECIDE)
  end
  reply[place + 1] = x
  if width > 1 then
    reply[place + 2], reply[place + 3] = y, z
  end
  place = place + 1 + width
end

-- Write: first what is added in place. If INCRBY rejects one text, what was added before is taken back.
if not isDenied then
  place = 2
  for i = 1, #KEYS do
    local added = written[i]
    if added then
      if not (lives and lives[i]) and type(tryCall('INCRBY', KEYS[i], added)) ~= 'number' then
        for k = 1, i - 1 do
          if written[k] and not (lives and lives[k]) then
            call('INCRBY', KEYS[k], '-' .. written[k])
          end
        end
        return struct.pack('>I7B', now, NEEDS_DECIDE)
      end
      reply[place + 1] = newFirst[i]
      if width > 1 then
        reply[place + 2] = newSecond[i]
      end
    end
    reply[place] = reply[place] + ALLOWED
    place = place + 1 + width
  end
  for i = 1, lives and #KEYS or 0 do
    local life = lives[i]
    if life == KEEP then
      call('SET', KEYS[i], written[i], 'KEEPTTL')
    elseif life then
      call('SET', KEYS[i], written[i], 'PX', life)
    end
  end
end

-- Reply.
return struct.pack('>I7' .. string.rep(width == 1 and 'BI7' or 'BI7I7I7', #KEYS), unpack(reply))
