-- Decides a request that has one charge, on a token bucket whose permits come back after whole ticks (n = 1), and that
-- travels alone. This is what most nodes of a large fleet send, so it does as little as possible. All other requests
-- that travel alone go to request.lua.
--
-- The arithmetic is that of token_bucket.lua, inlined, for a rest that is always 0. PackedCallDifferentialIT checks
-- that both are equal.
--
-- KEYS   1  the key of the state
-- ARGV   1  integers, big-endian, of the given number of bytes; amounts of time are in ticks:
--             rule id, not 0, as four digits; tick in microseconds (4); what the request costs (7), the most that may be
--             used (7) and the ceiling (7), as the time in which they come back
--             for states in the full form: capacity (7), debt (7) and p (7)
-- Reply  integers in one string: the time in microseconds (7); outcome (1): 1 allowed, 4 denied, 2 needs decide.lua;
--          fullAt after the decision (7), missing if decide.lua is needed. Only an allowed request changes anything.

local ALLOWED, NEEDS_DECIDE, DENIED = 1, 2, 4
local tryCall, sub, format, pack = redis.pcall, string.sub, string.format, struct.pack
local key, input = KEYS[1], ARGV[1]

-- Parse and load.
local id, tick, added, most, ceiling, position = struct.unpack('>c4I4I7I7I7', input)
local text = tryCall('GET', key) -- a table with the error if the key has another type

-- Compute.
local ticks, base = (now - now % tick) / tick, SHORT_EPOCH / tick
local isShort, before, backlog = text and #text == 19, 0, 0
if text then
  if isShort then
    before = sub(text, 1, 4) == id and tonumber(sub(text, 5))
    before = before and before + base
  else
    local capacity, debt, p = struct.unpack('>I7I7I7', input, position)
    local head = FORMAT_PLAIN .. cmsgpack.pack(tick, capacity, debt, 1, p, ceiling)
    before = #text == #head + 7 and sub(text, 1, #head) == head and struct.unpack('>I7', text, #head + 1)
  end
  backlog = before and before - ticks
  if not before or backlog > ceiling then -- something else is stored, or the clock was set back
    return pack('>I7B', now, NEEDS_DECIDE)
  elseif backlog < 0 then
    backlog = 0
  end
end
if backlog + added > most then
  if isShort and string.find(text, '%D') then -- it only looks like a state
    return pack('>I7B', now, NEEDS_DECIDE)
  end
  return pack('>I7BI7', now, DENIED, before)
end
local after = ticks + backlog + added

-- Write. The expiry is that of key_expiry.lua. INCRBY keeps it, and also rejects a text that only looks like a state.
local grid = (most / 32 - most / 32 % 1) * tick
if grid < 4000000 then
  grid = 4000000
end
local time = (after + 1) * tick
local sinceStep = time % grid
if after < base or after >= base + SHORT_TICKS then
  return pack('>I7B', now, NEEDS_DECIDE)
elseif isShort and sinceStep >= (after - before) * tick then
  if type(tryCall('INCRBY', key, format('%d', after - before))) ~= 'number' then
    return pack('>I7B', now, NEEDS_DECIDE)
  end
elseif isShort and string.find(text, '%D') then
  return pack('>I7B', now, NEEDS_DECIDE)
else
  redis.call('SET', key, format('%s%015d', id, after - base), 'PX',
    format('%d', (time - sinceStep + grid - now) / 1000 + 1 + SPARE_MS))
end
return pack('>I7BI7', now, ALLOWED, after)
