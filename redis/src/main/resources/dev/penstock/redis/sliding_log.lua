-- Sliding log: no more than the capacity in any window. The account keeps a list of entries. The next charge evicts
-- those that have left the window. The arithmetic of SlidingLogRule.java and EntryLog.java.
--
-- State, in the order in which it is stored:
--   used     the permits that count now
--   lapsed   the number of the oldest entries that no longer count
-- Both are recomputed by every decision.
-- Rule: capacity and debt in permits; window in microseconds. Parameters and results of the functions: see
-- token_bucket.lua.
--
-- The list has one entry for each time at which something was charged, oldest first, packed by cmsgpack: the time in
-- microseconds, and the running sum of all amounts up to it. With running sums, any number of entries can be found,
-- summed and evicted by binary search, without reading all of them.

local SUM_LIMIT = 4294967296 -- running sums restart from 0 here; the entries of a log never add up to as much

local EntryLog = {}
EntryLog.__index = EntryLog

-- The entries under a key. The state has their number and total. Nothing is written before commit.
--   dropped   how many of the stored entries are evicted, from the oldest
--   kept      the position of the newest stored entry that is kept, counted from the oldest stored one
--   appended  entries to be added
--   before    the running sum before the first entry
local function openEntryLog(key, size, total)
  local log = setmetatable({key = key, size = size, total = total, stored = size, dropped = 0, kept = size,
    appended = {}, known = {}, before = 0}, EntryLog)
  if size > 0 then
    log:entry(size)
    log.before = (log.known[size][2] - total) % SUM_LIMIT
  end
  return log
end

-- The i-th entry, from 1: its time, and the sum of all amounts up to it.
function EntryLog:entry(i)
  local stored = self.kept - self.dropped
  local entry
  if i > stored then
    entry = self.appended[i - stored]
  else
    local at = i + self.dropped
    entry = self.known[at]
    if not entry then
      local text = redis.call('LINDEX', self.key, string.format('%d', at - 1))
      entry = {unpackOrRefuse(self.key, text)}
      self.known[at] = entry
    end
  end
  return entry[1], (entry[2] - self.before) % SUM_LIMIT
end

-- The time of the newest entry; 0 if there is none.
function EntryLog:newest()
  return self.size > 0 and (self:entry(self.size)) or 0
end

-- The number of entries, from the oldest, that pass a test of time and sum. If one entry fails, all later ones must
-- fail too. Searches with strides that first double and then halve.
function EntryLog:countLeading(test)
  if self.size == 0 or not test(self:entry(1)) then
    return 0
  end
  local low, stride = 1, 1
  while low + stride <= self.size and test(self:entry(low + stride)) do
    low, stride = low + stride, stride * 2
  end
  local high = math.min(low + stride, self.size + 1)
  while high - low > 1 do
    local middle = math.floor((low + high) / 2)
    if test(self:entry(middle)) then
      low = middle
    else
      high = middle
    end
  end
  return low
end

-- The sum of the given number of oldest entries.
function EntryLog:sumOfOldest(count)
  if count == 0 then
    return 0
  end
  local _, sum = self:entry(count)
  return sum
end

-- Evicts the given number of oldest entries.
function EntryLog:evictOldest(count)
  local sum = self:sumOfOldest(count)
  local fromStored = math.min(count, self.kept - self.dropped)
  self.dropped = self.dropped + fromStored
  for _ = 1, count - fromStored do
    table.remove(self.appended, 1)
  end
  self.size, self.total, self.before = self.size - count, self.total - sum, (self.before + sum) % SUM_LIMIT
end

-- Keeps only the given number of oldest entries. The total is unchanged, because the next appended entry includes the
-- removed amounts.
function EntryLog:keepOldest(count)
  local stored = self.kept - self.dropped
  for i = #self.appended, math.max(1, count - stored + 1), -1 do
    self.appended[i] = nil
  end
  self.kept, self.size = self.dropped + math.min(stored, count), count
end

-- Adds an entry that is not older than the newest. Entries with the same time are merged.
function EntryLog:append(time, amount)
  self.total = self.total + amount
  if self.size > 0 and self:newest() == time then
    self:keepOldest(self.size - 1)
  end
  self.appended[#self.appended + 1] = {time, (self.before + self.total) % SUM_LIMIT}
  self.size = self.size + 1
end

-- Merges entries that are in the future, because the clock was set back, into one entry at now. Returns whether there
-- were any.
function EntryLog:repair(now)
  if self:newest() <= now then
    return false
  end
  self:keepOldest(self:countLeading(function(time) return time <= now end))
  self:append(now, 0)
  return true
end

-- Writes the changes. ttl is a time to live in milliseconds, as text.
function EntryLog:commit(ttl)
  if self.kept == self.dropped and self.stored > 0 then
    redis.call('DEL', self.key)
  elseif self.dropped > 0 or self.kept < self.stored then
    redis.call('LTRIM', self.key, string.format('%d', self.dropped), string.format('%d', self.kept - 1))
  end
  for _, entry in ipairs(self.appended) do
    redis.call('RPUSH', self.key, cmsgpack.pack(entry[1], entry[2]))
  end
  if self.size > 0 then
    redis.call('PEXPIRE', self.key, ttl)
  end
end

local function newSlidingLog()
  local log = {hasEntries = true}

  -- The permits that count at a time, and the number of entries that have left the window.
  local function countAt(rule, entries, time)
    local lapsed = entries:countLeading(function(entryTime) return entryTime <= time - rule.window end)
    return entries.total - entries:sumOfOldest(lapsed), lapsed
  end

  function log.roll(_, _, _, rule, account, now)
    local isRepaired = account.entries:repair(now)
    local used, lapsed = countAt(rule, account.entries, now)
    if isRepaired then
      account.entries:evictOldest(lapsed)
      lapsed = 0
    end
    return used, lapsed, 0, isRepaired
  end

  function log.fits(used, lapsed, _, rule, account, cost)
    return used + account.held + cost <= rule.capacity
  end

  function log.charge(used, lapsed, _, rule, account, cost, now)
    if cost == 0 then
      return used, lapsed, 0
    end
    account.entries:evictOldest(lapsed)
    account.entries:append(now, cost)
    return used + cost, 0, 0
  end

  -- Charges the cost even if it does not fit, up to the allowed debt, and not before the newest entry.
  function log.force(_, _, _, rule, account, cost, at)
    at = math.max(at, account.entries:newest())
    local used, lapsed = countAt(rule, account.entries, at)
    cost = math.max(0, math.min(cost, rule.capacity + rule.debt - used))
    local first, second, third = log.charge(used, lapsed, 0, rule, account, cost, at)
    return first, second, third, cost
  end

  function log.idleAt(_, _, _, rule, account, now)
    return account.entries.size == 0 and 0 or math.min(account.entries:newest(), now) + rule.window
  end

  function log.longest(rule)
    return 2 * rule.window
  end

  -- When a denied cost fits, in microseconds; -1 if that does not depend on the entries alone.
  function log.fitsAt(used, lapsed, rule, account, cost)
    if account.held + cost > rule.capacity then
      return -1 -- too much is held, so the cost would not fit even without any entries
    end
    local entries = account.entries
    local toFree = entries:sumOfOldest(lapsed) + used + account.held + cost - rule.capacity
    local last = entries:countLeading(function(_, sum) return sum < toFree end) + 1
    return last <= entries.size and entries:entry(last) + rule.window or -1
  end

  return log
end
