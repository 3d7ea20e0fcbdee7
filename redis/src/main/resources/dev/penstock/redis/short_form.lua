-- Reads and writes the short form of a state, see state_format.lua.

local function isShort(text)
  return #text == 19 and not string.find(text, '%D')
end

-- Tick zero of the short form.
local function shortBase(tick)
  return math.floor(SHORT_EPOCH / tick)
end

-- The rule id plus the rest, and the ticks since the epoch. They are read in two parts, because 19 digits exceed 2^53.
local function decodeShort(text)
  return string.sub(text, 1, 4) + 0, string.sub(text, 5) + 0
end

-- The short form, or false if the time does not fit in it.
local function encodeShort(ruleId, fullAt, rest, base)
  local ticks = fullAt - base
  return ticks >= 0 and ticks < SHORT_TICKS and string.format('%d%015d', ruleId + rest, ticks)
end
