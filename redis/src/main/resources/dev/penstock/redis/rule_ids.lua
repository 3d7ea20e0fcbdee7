-- A token bucket in short: a whole number of 19 digits, which Redis keeps in eight bytes and adds to in place. Four digits
-- are its mark, which stands for the numbers it was written under, plus b; the others are a since a time in 2020. What a
-- mark stands for is known to the nodes. Marks from 1000 are of buckets without a rest, those from 5000 leave room for
-- one below 64. The longer form begins with a byte that is no digit.
local MARKED_ROOM = 1000000000000000

local function isMarked(state)
  return #state == 19 and not state:find('%D')
end

local function markedBase(tick)
  return math.floor(1600000000000000 / tick)
end

-- The state, or false where the time has no room.
local function marked(mark, time)
  return time >= 0 and time < MARKED_ROOM and string.format('%d%015d', mark, time)
end
