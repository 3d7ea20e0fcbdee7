-- The stored form of an account's state: up to three numbers and the rule that they were written under. Each algorithm
-- names its numbers in its own file, such as token_bucket.lua. Every script that reads or writes states uses this file.
--
-- Short form, for token buckets only: an integer of 19 digits. Redis keeps it in 8 bytes and increments it in place.
--   4 digits    rule id + rest. The id represents the numbers of the rule; the nodes keep the list (RuleIds.java).
--               Ids from 1000 to 4999 are for buckets whose rest is always 0. Ids from 5000 on are 64 apart: the rest
--               is from 0 to 63.
--   15 digits   fullAt, in ticks since SHORT_EPOCH
-- Full form:
--   1 byte      1 if nothing is held and there are no entries; 2 otherwise
--   cmsgpack    tick, capacity, debt, n, p, ceiling of the rule; the last three are 0 unless it is a bucket
--   7 bytes     the first number, if the other two are 0 and the first byte is 1; otherwise 21 bytes with all three
--   cmsgpack    only after the byte 2: amount held, number of holds, time of the latest hold, number of entries, total
--               of the entries, lead of the clock of the holds (see holds.lua)
-- Numbers of a fixed width are big-endian.

local FORMAT_PLAIN, FORMAT_EXTENDED = '\1', '\2'
local SHORT_EPOCH = 1600000000000000 -- microseconds since 1970: in September 2020
local SHORT_TICKS = 1000000000000000 -- the number of ticks since the epoch that fit in 15 digits

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

-- The first bytes of a plain state that was written under this rule.
local function stateHead(rule)
  return FORMAT_PLAIN .. cmsgpack.pack(rule.tick, rule.capacity, rule.debt, rule.n or 0, rule.p or 0, rule.ceiling or 0)
end

local function encodePlain(head, first, second, third)
  if second == 0 and third == 0 then
    return head .. struct.pack('>I7', first)
  end
  return head .. struct.pack('>I7I7I7', first, second, third)
end

-- The numbers of a plain state with this head; nil if the text is truncated.
local function decodePlain(text, head)
  local size = #text - #head
  if size == 7 then
    return struct.unpack('>I7', text, #head + 1), 0, 0
  elseif size == 21 then
    return struct.unpack('>I7I7I7', text, #head + 1)
  end
end
