-- One account, combined from its keys. Most accounts have only the first of three keys:
--   state     the numbers, see state_format.lua
--   holds     the holds of permits, see holds.lua
--   entries   the entries of a sliding log, see sliding_log.lua
--
-- Everything is read and computed first. Only commit writes, so a script that stops before it has changed nothing.
--
-- A state, here and in decide.lua, is a table of three numbers (first, second and third) and the rule that they belong
-- to. The file of the algorithm defines their meaning.

local FIRST_ID_WITH_REST, REST_LIMIT = 5000, 64
local fullForm = newFullForm()

local Account = {}
Account.__index = Account

-- The rule ids in an argument: the id of the rule itself (0: none), then for each other known id '/', the id and the
-- six numbers that it represents. The numbers are missing if no node knows them any longer.
local function readRuleIds(text)
  local ids = {own = tonumber(text:match('^%d+'))}
  for id, words in text:gmatch('/(%d+)([^/]*)') do
    local n = {}
    for word in words:gmatch('%d+') do
      n[#n + 1] = tonumber(word)
    end
    ids[tonumber(id)] = n[1] and {tick = n[1], capacity = n[2], debt = n[3], n = n[4], p = n[5], ceiling = n[6]} or false
  end
  return ids
end

-- Reads a state in the short form. If its rule id is not in ruleIds, sets unknownRuleId. If no node knows the numbers
-- of the id, the whole capacity counts as used.
local function readShort(account, text, rule, ruleIds)
  local digits, ticks = decodeShort(text)
  local rest = digits < FIRST_ID_WITH_REST and 0 or (digits - FIRST_ID_WITH_REST) % REST_LIMIT
  local id = digits - rest
  if id ~= ruleIds.own and not ruleIds[id] then
    account.unknownRuleId = ruleIds[id] == nil and id
    local used = rule.capacity * rule.p
    account.first, account.second = math.floor(now / rule.tick) + math.floor(used / rule.n), used % rule.n
    account.isLost = true
    return
  end
  if id ~= ruleIds.own then
    account.rule = setmetatable(ruleIds[id], {__index = rule})
  end
  account.first, account.second = ticks + shortBase(account.rule.tick), rest
end

-- Reads a state in the full form. Returns the number and the total of the entries.
local function readFull(account, text, rule)
  local format = text:sub(1, 1)
  if format ~= FORMAT_PLAIN and format ~= FORMAT_EXTENDED then
    refuse(account.stateKey)
  end
  local isRead, at, tick, capacity, debt, n, p, ceiling = pcall(cmsgpack.unpack_limit, text, 6, 1)
  at = at == -1 and #text or at
  if not isRead or not ceiling or (format == FORMAT_EXTENDED and #text - at < 21) then
    refuse(account.stateKey)
  end
  -- The length of the window is part of the key, so it is the same. But it may have been counted in another tick.
  local window = rule.window and rule.window * rule.tick / tick
  account.rule = setmetatable({tick = tick, capacity = capacity, debt = debt, n = n, p = p, ceiling = ceiling,
    window = window}, {__index = rule})
  if format == FORMAT_PLAIN then
    account.first, account.second, account.third = fullForm.decode(text, text:sub(1, at))
    if not account.first then
      refuse(account.stateKey)
    end
    return 0, 0
  end
  local size, total, lead
  account.first, account.second, account.third, at = struct.unpack('>I7I7I7', text, at + 1)
  account.held, account.holdCount, account.latestHold, size, total, lead =
    unpackOrRefuse(account.stateKey, text:sub(at))
  account.clockLead = lead or 0
  return size, total
end

-- Opens the account of a rule under its three keys. The caller must then check unknownRuleId and outsideCalendar, which
-- is a time that the boundaries of the calendar do not reach.
local function openAccount(stateKey, holdsKey, entriesKey, rule, ruleIds)
  local account = setmetatable({stateKey = stateKey, holdsKey = holdsKey, entriesKey = entriesKey, rule = rule,
    first = 0, second = 0, third = 0, held = 0, holdCount = 0, latestHold = 0, clockLead = 0, removed = {}, added = {}},
    Account)
  local text = redis.call('GET', stateKey)
  local entryCount, entryTotal = 0, 0
  account.exists = text and true
  if text and isShort(text) then
    readShort(account, text, rule, ruleIds)
  elseif text then
    entryCount, entryTotal = readFull(account, text, rule)
  end
  -- Holds and entries can be lost (evicted, deleted) without the state, or remain without it. In both cases they start
  -- empty. This check before any write also rejects foreign values under their keys.
  if redis.call('ZCARD', holdsKey) ~= account.holdCount then
    account.held, account.holdCount, account.isStale = 0, 0, true
  end
  if rule.algorithm.hasEntries and redis.call('LLEN', entriesKey) ~= entryCount then
    entryCount, entryTotal, account.isStale = 0, 0, true
  end
  account.entries = openEntryLog(entriesKey, entryCount, entryTotal)
  account:openHolds(now)
  local since = account.firstHold < 0 and now or math.min(account.firstHold - account.clockLead, now)
  local boundaries = rule.boundaries
  account.outsideCalendar = boundaries and (since < boundaries[1] or now >= boundaries[#boundaries]) and since
  return account
end

-- A working copy of a state.
local function copyOf(state)
  return {first = state.first, second = state.second, third = state.third, rule = state.rule}
end

-- Sets the numbers of a state.
local function setNumbers(state, first, second, third)
  state.first, state.second, state.third = first, second, third
end

-- Advances a copy of the state to a rule and to now. Returns whether it must be stored whatever the outcome.
local function advance(state, rule, account, now)
  local isAdopted, isRepaired = false, false
  if rule.algorithm.adopt then
    state.first, state.second, state.third, rule, isAdopted =
      rule.algorithm.adopt(state.first, state.second, state.third, state.rule, rule, now)
  end
  state.rule = rule
  state.first, state.second, state.third, isRepaired =
    rule.algorithm.roll(state.first, state.second, state.third, rule, account, now)
  return isAdopted or isRepaired
end

local function stateFits(state, account, cost, now)
  return state.rule.algorithm.fits(state.first, state.second, state.third, state.rule, account, cost, now)
end

local function chargeState(state, account, cost, now)
  setNumbers(state, state.rule.algorithm.charge(state.first, state.second, state.third, state.rule, account, cost, now))
end

-- Charges the cost even if it does not fit, up to the allowed debt. Returns the amount charged, rounded down.
local function forceState(state, account, cost, at)
  local first, second, third, amount =
    state.rule.algorithm.force(state.first, state.second, state.third, state.rule, account, cost, at)
  setNumbers(state, first, second, third)
  return amount
end

-- Replaces the account's state with a working copy. commit writes it.
function Account:take(state)
  setNumbers(self, state.first, state.second, state.third)
  self.rule, self.isChanged = state.rule, true
end

-- When the keys expire, in microseconds. Not after now if nothing must be kept.
function Account:expiry(now)
  local rule = self.rule
  local algorithm = rule.algorithm
  local expiry = algorithm.idleAt(self.first, self.second, self.third, rule, self, now)
  if expiry > now and algorithm.keyExpiry then
    expiry = algorithm.keyExpiry(self.first, self.second, self.third, rule)
  end
  if self.holdCount > 0 then
    expiry = math.max(expiry, self:lastHoldExpiry() + algorithm.longest(rule), now + 1)
  end
  return expiry
end

-- Writes all changes.
function Account:commit(now)
  if not self.isChanged then
    return
  end
  if self.isStale then
    redis.call('DEL', self.holdsKey, self.entriesKey)
  end
  self:commitHolds()
  local expiry = self:expiry(now)
  if expiry <= now then
    redis.call('DEL', self.stateKey, self.holdsKey, self.entriesKey)
    return
  end
  local ttl = string.format('%d', math.ceil((expiry - now) / 1000) + SPARE_MS)
  self.entries:commit(ttl)
  local rule = self.rule
  local text = fullForm.head(rule.tick, rule.capacity, rule.debt, rule.n, rule.p, rule.ceiling)
  if self.holdCount > 0 or self.entries.size > 0 then
    text = FORMAT_EXTENDED .. text:sub(2) .. struct.pack('>I7I7I7', self.first, self.second, self.third)
      .. cmsgpack.pack(self.held, self.holdCount, self.latestHold, self.entries.size, self.entries.total, self.clockLead)
  else
    text = fullForm.encode(text, self.first, self.second, self.third)
  end
  if self.holdCount > 0 then
    redis.call('PEXPIRE', self.holdsKey, ttl)
  end
  redis.call('SET', self.stateKey, text, 'PX', ttl)
end
