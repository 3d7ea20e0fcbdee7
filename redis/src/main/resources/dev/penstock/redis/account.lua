-- One account: what its keys hold, brought together. Three keys, of which most accounts have only the first:
--   state    the numbers: a format byte; packed, those they were written under; then a, or a, b and c, in seven bytes
--            each; and where there are holds or entries, packed, how many and how much. Or in short, as in marked.lua
--   holds    a sorted set, by expiry: each member is a hold in words (permit, part, amount, weight, term, lapse, marks)
--   entries  a sliding log's entries, oldest first, each packed: time, amount
--
-- Everything is read and worked out first; commit writes it all, so a script that stops before has changed nothing.

local PLAIN, MORE = '\1', '\2'
local BLOCK = 32
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
  if #packed ~= 19 or not packed:find('^%d+$') then
    error({err = 'PENSTOCK FORMAT ' .. x.state})
  end
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
    c = 0, under = rule, removed = {}, added = {}, size = 0, total = 0, known = {}, dropped = 0, appended = {}}, Account)
  local packed = redis.call('GET', state)
  x.exists = packed and true
  if packed and isMarked(packed) then
    readMarked(x, packed, rule, marks)
  elseif packed then
    local format, at = packed:sub(1, 1), nil
    if format ~= PLAIN and format ~= MORE then
      error({err = 'PENSTOCK FORMAT ' .. state})
    end
    local tick, capacity, debt, n, p, ceiling
    at, tick, capacity, debt, n, p, ceiling = cmsgpack.unpack_limit(packed, 6, 1)
    at = at == -1 and #packed or at
    if format == PLAIN and #packed - at == 7 then
      x.a = struct.unpack('>I7', packed, at + 1)
    else
      x.a, x.b, x.c, at = struct.unpack('>I7I7I7', packed, at + 1)
      if format == MORE then
        x.held, x.count, x.latest, x.size, x.total = cmsgpack.unpack(packed:sub(at))
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
  x.first = -1
  if x.count > 0 then
    x.first = tonumber(redis.call('ZRANGE', holds, 0, 0, 'WITHSCORES')[2] or -1)
  end
  if x.first < 0 then
    x.held, x.count = 0, 0
  end
  if rule.grid and (now < rule.grid[1] or now >= rule.grid[#rule.grid] or (x.first >= 0 and x.first < rule.grid[1])) then
    error({err = 'PENSTOCK GRID ' .. string.format('%d', x.first >= 0 and min(x.first, now) or now)})
  end
  return x
end

-- A sliding log's i-th entry, from 1: its time and its amount. Read in blocks, those added since at the end.
function Account:entry(i)
  local stored = self.size - #self.appended
  if i > stored then
    local entry = self.appended[i - stored]
    return entry[1], entry[2]
  end
  local at = i + self.dropped
  if not self.known[at] then
    local from = at == stored + self.dropped and at or at - (at - 1) % BLOCK
    local block = redis.call('LRANGE', self.entries, from - 1, from + BLOCK - 2)
    for k = 1, #block do
      self.known[from + k - 1] = {cmsgpack.unpack(block[k])}
    end
  end
  local entry = self.known[at]
  return entry[1], entry[2]
end

function Account:dropEntries(count)
  for i = 1, count do
    local _, amount = self:entry(i)
    self.total = self.total - amount
  end
  local stored = self.size - #self.appended
  local fromStored = min(count, stored)
  self.dropped = self.dropped + fromStored
  for i = 1, count - fromStored do
    table.remove(self.appended, 1)
  end
  self.size = self.size - count
end

-- Adds an entry not older than the last; entries of the same time become one.
function Account:appendEntry(time, amount)
  self.total = self.total + amount
  if self.size > 0 then
    local last, before = self:entry(self.size)
    if last == time then
      if #self.appended == 0 then
        self.popped = true -- the last one stored goes, and comes again with more
      end
      self.appended[max(1, #self.appended)] = {time, before + amount}
      return
    end
  end
  self.appended[#self.appended + 1] = {time, amount}
  self.size = self.size + 1
end

-- Brings entries of the future to now, because the clock went back; answers whether there were any.
function Account:repairEntries(now)
  if self.size == 0 or self:entry(self.size) <= now then
    return false
  end
  local all = {}
  for i = 1, self.size do
    local time, amount = self:entry(i)
    all[i] = {min(time, now), amount}
  end
  self.rewritten, self.dropped, self.known = true, 0, {}
  self.appended = all
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

-- Settles the holds that ran out, each at its own time, under the numbers that the state was written under; and after
-- the clock went back lets no hold outlive its own term.
function Account:expireHolds(now)
  if self.count == 0 or (self.first > now and now >= self.latest) then
    return
  end
  local wentBack = now < self.latest
  local list = redis.call('ZRANGEBYSCORE', self.holds, '-inf', wentBack and '+inf' or now, 'WITHSCORES')
  local due, first = {}, -1
  for i = 1, #list, 2 do
    local hold, expiry = readHold(list[i]), tonumber(list[i + 1])
    if expiry > now + hold.ttl then
      expiry = now + hold.ttl
      self.added[hold.member] = expiry
    end
    if expiry <= now then
      hold.expiry = expiry
      due[#due + 1] = hold
    elseif first < 0 or expiry < first then
      first = expiry
    end
  end
  table.sort(due, function(one, other) return one.expiry < other.expiry end)
  for _, hold in ipairs(due) do
    self:removeHold(hold)
    if hold.lapse == 'charged' then
      self.under.kind.force(self, self.under, self, hold.weight, hold.expiry)
    end
  end
  if not wentBack then
    local following = redis.call('ZRANGEBYSCORE', self.holds, '(' .. string.format('%d', now), '+inf', 'WITHSCORES',
      'LIMIT', 0, 1)
    first = tonumber(following[2] or -1)
  end
  self.first, self.latest, self.dirty = first, min(self.latest, now), true
end

function Account:removeHold(hold)
  self.removed[#self.removed + 1] = hold.member
  self.added[hold.member] = nil
  self.held, self.count = self.held - hold.weight, self.count - 1
end

function Account:addHold(member, weight, expiry, now)
  self.added[member] = expiry
  self.held, self.count, self.latest = self.held + weight, self.count + 1, now
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
  for _, member in ipairs(self.removed) do
    redis.call('ZREM', self.holds, member)
  end
  for member, expiry in pairs(self.added) do
    redis.call('ZADD', self.holds, expiry, member)
  end
  local under = self.under
  local until_ = under.kind.idleAt(self, under, self, now)
  if until_ > now and under.kind == bucket then
    until_ = nextStep(max(until_, (self.a + 1) * under.tick), keyStep(under))
  end
  if self.count > 0 then
    local last = redis.call('ZRANGE', self.holds, -1, -1, 'WITHSCORES')
    until_ = max(until_, tonumber(last[2]) + under.kind.longest(under))
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
      .. cmsgpack.pack(self.held, self.count, self.latest, self.size, self.total)
  elseif self.b == 0 and self.c == 0 then
    packed = PLAIN .. packed .. struct.pack('>I7', self.a)
  else
    packed = PLAIN .. packed .. struct.pack('>I7I7I7', self.a, self.b, self.c)
  end
  redis.call('SET', self.state, packed, 'PX', ttl)
end

function Account:commitEntries(ttl)
  if self.rewritten then
    redis.call('DEL', self.entries)
  else
    if self.popped then
      redis.call('RPOP', self.entries)
    end
    if self.dropped > 0 then
      redis.call('LTRIM', self.entries, self.dropped, -1)
    end
  end
  for _, entry in ipairs(self.appended) do
    redis.call('RPUSH', self.entries, cmsgpack.pack(entry[1], entry[2]))
  end
  if self.size > 0 then
    redis.call('PEXPIRE', self.entries, ttl)
  end
end
