-- One account: what its keys hold, brought together. Three keys, of which most accounts have only the first:
--   state    the numbers: a format byte; packed, those they were written under; then a, or a, b and c, in seven bytes
--            each; and where there are holds or entries, packed, how many and how much. Or in short, as in rule_ids.lua
--   holds    a sorted set, by expiry: each member is a hold in words (permit, part, amount, weight, term, lapse, marks).
--            Expiries go by a clock of the account's own, which is ahead of the store's by as much as that was set back
--   entries  a sliding log's entries, oldest first, each packed: time, and the running sum of all amounts up to it, so
--            that any number of them is found, summed or dropped without being walked through
--
-- Everything is read and worked out first; commit writes it all, so a script that stops before has changed nothing.

local PLAIN, MORE = '\1', '\2'
local ROUND = 4294967296 -- at which running sums begin again; no log's entries come to as much
local MOST_EXPIRED = 100 -- holds that one call handles, of all accounts together: each takes Redis some ten microseconds
local Account = {}
Account.__index = Account

-- What marks stand for, from their words: the rule's own (0: none), then each other one and its six numbers, or none.
local function readMarks(text)
  local marks = {own = tonumber(text:match('^%d+'))}
  for mark, words in text:gmatch('/(%d+)([^/]*)') do
    local n = {}
    for word in words:gmatch('%d+') do
      n[#n + 1] = tonumber(word)
    end
    marks[tonumber(mark)] = n[1] and {tick = n[1], capacity = n[2], debt = n[3], n = n[4], p = n[5], ceiling = n[6]} or false
  end
  return marks
end

-- Reads a state in short. Where its mark stands for numbers that nobody knows any more, all is taken for used.
local function readMarked(x, packed, rule, marks)
  local mark = tonumber(packed:sub(1, 4))
  x.b = mark < 5000 and 0 or (mark - 5000) % 64
  mark = mark - x.b
  if mark ~= marks.own then
    x.unknownMark = marks[mark] == nil and mark
    if marks[mark] then
      x.under = setmetatable(marks[mark], {__index = rule})
    else
      x.lost = true
    end
  end
  x.a = packed:sub(5) + markedBase(x.under.tick)
  if x.lost then
    local used = rule.capacity * rule.p
    x.a, x.b = floor(now / rule.tick) + floor(used / rule.n), used % rule.n
  end
end

local function openAccount(state, holds, entries, rule, marks)
  local x = setmetatable({state = state, holds = holds, entries = entries, held = 0, count = 0, latest = 0, a = 0, b = 0,
    c = 0, under = rule, removed = {}, added = {}, size = 0, total = 0, known = {}, stored = 0, dropped = 0, kept = 0,
    appended = {}, before = 0, ahead = 0}, Account)
  local packed = redis.call('GET', state)
  x.exists = packed and true
  if packed and isMarked(packed) then
    readMarked(x, packed, rule, marks)
  elseif packed then
    local format, at = packed:sub(1, 1), nil
    if format ~= PLAIN and format ~= MORE then
      error({err = 'PENSTOCK FORMAT ' .. state .. ' was written by a version that this one cannot read'})
    end
    local tick, capacity, debt, n, p, ceiling
    at, tick, capacity, debt, n, p, ceiling = cmsgpack.unpack_limit(packed, 6, 1)
    at = at == -1 and #packed or at
    if format == PLAIN and #packed - at == 7 then
      x.a = struct.unpack('>I7', packed, at + 1)
    else
      x.a, x.b, x.c, at = struct.unpack('>I7I7I7', packed, at + 1)
      if format == MORE then
        x.held, x.count, x.latest, x.size, x.total, x.ahead = cmsgpack.unpack(packed:sub(at))
        x.ahead = x.ahead or 0
      end
    end
    -- The shape is the rule's, so a window is of the same length, but it may have been counted in another tick.
    local w = rule.w and rule.w * rule.tick / tick
    x.under = setmetatable({tick = tick, capacity = capacity, debt = debt, n = n, p = p, ceiling = ceiling, w = w},
      {__index = rule})
  end
  -- A companion can be lost (evicted, deleted) without the state, or stay behind without it: then it starts anew. To look
  -- at them before anything is written also refuses here what somebody else put in their place.
  local present = redis.call('ZCARD', holds)
  if present ~= x.count then
    x.held, x.count, x.stale = 0, 0, true
  end
  if rule.kind == log and redis.call('LLEN', entries) ~= x.size then
    x.size, x.total, x.stale = 0, 0, true
  end
  x.stored, x.kept = x.size, x.size
  if x.size > 0 then
    x:entry(x.size)
    x.before = (x.known[x.size][2] - x.total) % ROUND
  end
  x.first = -1
  if x.count > 0 then
    x.first = tonumber(redis.call('ZRANGE', holds, '0', '0', 'WITHSCORES')[2] or -1)
  end
  if x.first < 0 then
    x.held, x.count = 0, 0
  end
  if x.count > 0 and now + x.ahead < x.latest then -- the clock went back: the holds keep the time that they had left
    x.ahead, x.dirty = x.latest - now, true
  end
  local since = x.first < 0 and now or min(x.first - x.ahead, now)
  if rule.grid and (since < rule.grid[1] or now >= rule.grid[#rule.grid]) then
    error({err = 'PENSTOCK GRID ' .. string.format('%d', since)})
  end
  return x
end

-- A sliding log's i-th entry, from 1: its time, and the sum of all amounts up to it. Of those stored, the first that were
-- dropped and those beyond the kept do not count any more; those added since follow.
function Account:entry(i)
  local stored = self.kept - self.dropped
  local entry
  if i > stored then
    entry = self.appended[i - stored]
  else
    local at = i + self.dropped
    entry = self.known[at]
    if not entry then
      entry = {cmsgpack.unpack(redis.call('LINDEX', self.entries, string.format('%d', at - 1)))}
      self.known[at] = entry
    end
  end
  return entry[1], (entry[2] - self.before) % ROUND
end

-- How many of the oldest entries something holds for, by their time and sum, that holds for none after one for which it
-- does not: by strides that double, then halve.
function Account:leading(holds)
  if self.size == 0 or not holds(self:entry(1)) then
    return 0
  end
  local low, stride = 1, 1
  while low + stride <= self.size and holds(self:entry(low + stride)) do
    low, stride = low + stride, stride * 2
  end
  local high = min(low + stride, self.size + 1)
  while high - low > 1 do
    local middle = floor((low + high) / 2)
    if holds(self:entry(middle)) then
      low = middle
    else
      high = middle
    end
  end
  return low
end

-- The sum of so many of the oldest entries.
function Account:sumOf(count)
  if count == 0 then
    return 0
  end
  local _, sum = self:entry(count)
  return sum
end

function Account:dropEntries(count)
  local sum = self:sumOf(count)
  local fromStored = min(count, self.kept - self.dropped)
  self.dropped = self.dropped + fromStored
  for _ = 1, count - fromStored do
    table.remove(self.appended, 1)
  end
  self.size, self.total, self.before = self.size - count, self.total - sum, (self.before + sum) % ROUND
end

-- Forgets the newest entries but for so many of the oldest; the total stays, to be taken over by one that follows.
function Account:keepEntries(count)
  local stored = self.kept - self.dropped
  for i = #self.appended, max(1, count - stored + 1), -1 do
    self.appended[i] = nil
  end
  self.kept, self.size = self.dropped + min(stored, count), count
end

-- Adds an entry not older than the last; entries of the same time become one.
function Account:appendEntry(time, amount)
  self.total = self.total + amount
  if self.size > 0 and self:entry(self.size) == time then
    self:keepEntries(self.size - 1)
  end
  self.appended[#self.appended + 1] = {time, (self.before + self.total) % ROUND}
  self.size = self.size + 1
end

-- Brings entries of the future to now, as one, because the clock went back; answers whether there were any.
function Account:repairEntries(now)
  if self.size == 0 or self:entry(self.size) <= now then
    return false
  end
  self:keepEntries(self:leading(function(time) return time <= now end))
  self:appendEntry(now, 0)
  return true
end

-- permit, part, amount, weight, term, lapse ('charged' or 'given_back'), and a leaky bucket's marks
local function readHold(member)
  local h = {}
  for word in string.gmatch(member, '%S+') do
    h[#h + 1] = word
  end
  return {member = member, amount = tonumber(h[3]), weight = tonumber(h[4]), ttl = tonumber(h[5]), lapse = h[6],
    markA = tonumber(h[7]), markB = tonumber(h[8])}
end

-- Settles the holds that ran out, the oldest first and each at its own time, under the numbers that the state was written
-- under; no more than are left of a number, and answers how many then are. The others stay held until a later call.
function Account:expireHolds(now, left)
  local holdNow = now + self.ahead
  if self.count == 0 or self.first > holdNow or left == 0 then
    return left
  end
  local list = redis.call('ZRANGE', self.holds, '0', string.format('%d', left), 'WITHSCORES')
  self.first, self.dirty = -1, true
  for i = 1, #list, 2 do
    local expiry = tonumber(list[i + 1])
    if expiry > holdNow or left == 0 then
      self.first = expiry
      break
    end
    local hold = readHold(list[i])
    self:removeHold(hold)
    left = left - 1
    if hold.lapse == 'charged' then
      self.under.kind.force(self, self.under, self, hold.weight, expiry - self.ahead)
    end
  end
  return left
end

function Account:removeHold(hold)
  self.removed[#self.removed + 1] = hold.member
  self.added[hold.member] = nil
  self.held, self.count = self.held - hold.weight, self.count - 1
end

function Account:addHold(member, weight, ttl, now)
  self:renewHold(member, ttl, now)
  self.held, self.count = self.held + weight, self.count + 1
end

function Account:renewHold(member, ttl, now)
  self.latest = now + self.ahead
  self.added[member] = self.latest + ttl
end

-- When the first hold runs out that is left, or now where that was before; -1 where there is none.
function Account:firstExpiry(now)
  return self.first < 0 and -1 or max(self.first - self.ahead, now)
end

-- A copy of the numbers, to work on.
local function copyOf(s)
  return {a = s.a, b = s.b, c = s.c, under = s.under}
end

-- Takes the numbers over, to be written.
function Account:take(s)
  self.a, self.b, self.c, self.under, self.dirty = s.a, s.b, s.c, s.under, true
end

-- Brings a copy to now; answers whether it has to be stored whatever the outcome.
local function advance(s, r, now, x)
  local mustStore = r.kind.adopt(s, r, now)
  return r.kind.roll(s, r, now, x) or mustStore
end

function Account:commit(now, spareMs)
  if not self.dirty then
    return
  end
  if self.stale then
    redis.call('DEL', self.holds, self.entries)
  end
  if #self.removed > 0 then
    redis.call('ZREM', self.holds, unpack(self.removed))
  end
  for member, expiry in pairs(self.added) do
    redis.call('ZADD', self.holds, string.format('%d', expiry), member)
  end
  local under = self.under
  local until_ = under.kind.idleAt(self, under, self, now)
  if until_ > now and under.kind == bucket then
    until_ = nextStep(max(until_, (self.a + 1) * under.tick), keyStep(under.tick, under.capacity, under.n, under.p))
  end
  if self.count > 0 then
    local last = redis.call('ZRANGE', self.holds, '-1', '-1', 'WITHSCORES')
    until_ = max(until_, tonumber(last[2]) - self.ahead + under.kind.longest(under), now + 1)
  else
    self.latest, self.ahead = 0, 0
  end
  if until_ <= now then
    redis.call('DEL', self.state, self.holds, self.entries)
    return
  end
  local ttl = string.format('%d', ceil((until_ - now) / 1000) + spareMs)
  self:commitEntries(ttl)
  if self.count > 0 then
    redis.call('PEXPIRE', self.holds, ttl)
  end
  local packed = cmsgpack.pack(under.tick, under.capacity, under.debt, under.n or 0, under.p or 0, under.ceiling or 0)
  if self.count > 0 or self.size > 0 then
    packed = MORE .. packed .. struct.pack('>I7I7I7', self.a, self.b, self.c)
      .. cmsgpack.pack(self.held, self.count, self.latest, self.size, self.total, self.ahead)
  elseif self.b == 0 and self.c == 0 then
    packed = PLAIN .. packed .. struct.pack('>I7', self.a)
  else
    packed = PLAIN .. packed .. struct.pack('>I7I7I7', self.a, self.b, self.c)
  end
  redis.call('SET', self.state, packed, 'PX', ttl)
end

function Account:commitEntries(ttl)
  if self.kept == self.dropped and self.stored > 0 then
    redis.call('DEL', self.entries)
  elseif self.dropped > 0 or self.kept < self.stored then
    redis.call('LTRIM', self.entries, string.format('%d', self.dropped), string.format('%d', self.kept - 1))
  end
  for _, entry in ipairs(self.appended) do
    redis.call('RPUSH', self.entries, cmsgpack.pack(entry[1], entry[2]))
  end
  if self.size > 0 then
    redis.call('PEXPIRE', self.entries, ttl)
  end
end
