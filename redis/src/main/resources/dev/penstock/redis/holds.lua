-- The holds of permits in an account: a sorted set, by expiry in microseconds. Each member describes one hold in words:
-- permit, part, amount, weight, time to live, lapse ('charged' or 'given_back': the effect of its expiry), and for a
-- leaky bucket fullAt and rest after it was charged.
--
-- The expiries use the account's own clock. It is ahead of the store's clock by clockLead, which is how far the store's
-- clock was set back. So a hold keeps its remaining time.

-- maximum number of holds that one call may settle, over all accounts; each takes Redis about 10 us
local MOST_EXPIRED = 100

function Account:openHolds(now)
  self.firstHold = -1
  if self.holdCount > 0 then
    self.firstHold = tonumber(redis.call('ZRANGE', self.holdsKey, '0', '0', 'WITHSCORES')[2] or -1)
  end
  if self.firstHold < 0 then
    self.held, self.holdCount = 0, 0
  end
  if self.holdCount > 0 and now + self.clockLead < self.latestHold then -- the clock was set back
    self.clockLead, self.isChanged = self.latestHold - now, true
  end
end

local function readHold(member)
  local words = {}
  for word in string.gmatch(member, '%S+') do
    words[#words + 1] = word
  end
  return {member = member, amount = tonumber(words[3]), weight = tonumber(words[4]), ttl = tonumber(words[5]),
    lapse = words[6], fullAt = tonumber(words[7]), rest = tonumber(words[8])}
end

-- Settles expired holds, the oldest first and each at its own time, under the rule that the state was written under.
-- Settles at most a given number of holds, and returns how many more may be settled. The others stay held until a later
-- call.
function Account:expireHolds(now, left)
  local holdNow = now + self.clockLead
  if self.holdCount == 0 or self.firstHold > holdNow or left == 0 then
    return left
  end
  local list = redis.call('ZRANGE', self.holdsKey, '0', string.format('%d', left), 'WITHSCORES')
  self.firstHold, self.isChanged = -1, true
  for i = 1, #list, 2 do
    local expiry = tonumber(list[i + 1])
    if expiry > holdNow or left == 0 then
      self.firstHold = expiry
      break
    end
    local hold = readHold(list[i])
    self:removeHold(hold)
    left = left - 1
    if hold.lapse == 'charged' then
      forceState(self, self, hold.weight, expiry - self.clockLead)
    end
  end
  return left
end

function Account:removeHold(hold)
  self.removed[#self.removed + 1] = hold.member
  self.added[hold.member] = nil
  self.held, self.holdCount = self.held - hold.weight, self.holdCount - 1
end

function Account:addHold(member, weight, ttl, now)
  self:renewHold(member, ttl, now)
  self.held, self.holdCount = self.held + weight, self.holdCount + 1
end

function Account:renewHold(member, ttl, now)
  self.latestHold = now + self.clockLead
  self.added[member] = self.latestHold + ttl
end

-- When the first remaining hold expires, or now if that time has passed; -1 if there is no hold.
function Account:firstHoldExpiry(now)
  return self.firstHold < 0 and -1 or math.max(self.firstHold - self.clockLead, now)
end

-- When the last hold expires, including those that this call adds, or now if that time has passed; -1 if there is none.
function Account:lastReportedExpiry(now)
  if self.holdCount == 0 then
    return -1
  end
  if not self.lastStored then
    self.lastStored = self.isStale and 0 or tonumber(redis.call('ZRANGE', self.holdsKey, '-1', '-1', 'WITHSCORES')[2] or 0)
  end
  local last = self.lastStored
  for _, expiry in pairs(self.added) do
    last = math.max(last, expiry)
  end
  return math.max(last - self.clockLead, now)
end

-- When the last written hold expires.
function Account:lastHoldExpiry()
  return tonumber(redis.call('ZRANGE', self.holdsKey, '-1', '-1', 'WITHSCORES')[2]) - self.clockLead
end

function Account:commitHolds()
  if #self.removed > 0 then
    redis.call('ZREM', self.holdsKey, unpack(self.removed))
  end
  for member, expiry in pairs(self.added) do
    redis.call('ZADD', self.holdsKey, string.format('%d', expiry), member)
  end
  if self.holdCount == 0 then
    self.latestHold, self.clockLead = 0, 0
  end
end
