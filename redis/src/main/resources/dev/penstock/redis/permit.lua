-- Ends a permit at its actual costs, gives it back unless other requests were answered with it, or renews it.
--
-- KEYS   1  the record of the permit
--        2  the record of the request's id; the permit's again if it has none
--        then 3 per part: state, holds, entries (see account.lua)
-- ARGV   1  the number of parts
--        2  'settle', 'give back' or 'renew'
--        3  how long the ending is remembered, in milliseconds
--        4  the id of the permit
--        then 5 per part: the hold (holds.lua), the rule in words (rule_reader.lua), unit, actual cost, the rule ids that
--        its state may have (account.lua)
-- Reply  1  'unknown'; 'kept': other requests use it; 'expired'; 'renewed'; 'settled'; 'missing_rule_ids' and
--           'missing_boundaries': nothing was changed
--        After 'renewed': when it expires, in microseconds
--        After 'settled': unit and charged cost, for each unit
--        After 'missing_rule_ids': the parts, from 1, with the ids in their states, such as '1:1234 3:5064'
--        After 'missing_boundaries': the time in microseconds that the boundaries of a calendar have to reach

local max = math.max

-- Parse.
local size, verb, rememberMs, permit = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3]), ARGV[4]
local permitKey, idKey = KEYS[1], KEYS[2]

-- Load.
local known = redis.call('HMGET', permitKey, 'expiry', 'ttl', 'ending')
if not known[1] then
  return {'unknown'}
end
if known[3] then
  return unpackOrRefuse(permitKey, known[3])
end

-- The record of the request's id, as long as it stands for this permit and no later one; see decide.lua.
local record = idKey ~= permitKey and redis.call('GET', idKey)
local asked, _, answer, owner, turnAt, isShared
if record then
  asked, _, answer, owner, turnAt, isShared = unpackOrRefuse(idKey, record)
end
local isRemembered = answer and answer[4] == permit
owner = owner or ''
-- Whether other requests were answered with it is known only while it is remembered.
if verb == 'give back' and idKey ~= permitKey and (isShared or not isRemembered) then
  return {'kept'}
end

local accounts, parts, outsideCalendar = {}, {}, nil
for i = 1, size do
  local at, key = 5 * i, KEYS[3 * i]
  local part = {hold = readHold(ARGV[at]), rule = readRule(ARGV[at + 1]), unit = ARGV[at + 2],
    actual = tonumber(ARGV[at + 3])}
  local account = accounts[key]
    or openAccount(key, KEYS[3 * i + 1], KEYS[3 * i + 2], part.rule, readRuleIds(ARGV[at + 4]))
  accounts[key], part.account = account, account
  outsideCalendar = outsideCalendar or account.outsideCalendar
  part.isStored = account.holdCount > 0 and redis.call('ZSCORE', account.holdsKey, part.hold.member)
  parts[i] = part
end
if outsideCalendar then
  return {'missing_boundaries', outsideCalendar}
end

-- Compute: settle what has expired first, which may be what this permit held.
local left, isRemoved = MOST_EXPIRED, {}
for _, part in ipairs(parts) do
  if not isRemoved[part.account] then
    left = part.account:expireHolds(now, left)
    isRemoved[part.account] = {}
    for _, member in ipairs(part.account.removed) do
      isRemoved[part.account][member] = true
    end
  end
end

-- A part that costs nothing has no hold: it is there as long as the permit. A state in the short form has no holds, so its
-- rule id matters only for such parts.
local isAlive, missingIds = now < tonumber(known[1]), {}
for i, part in ipairs(parts) do
  part.isStored = part.isStored and not isRemoved[part.account][part.hold.member]
  part.isThere = part.isStored or part.hold.amount == 0 and isAlive
  if part.isThere and not part.isStored and part.actual > 0 and verb ~= 'renew' and part.account.unknownRuleId then
    missingIds[#missingIds + 1] = i .. ':' .. part.account.unknownRuleId
  end
end
if #missingIds > 0 then
  return {'missing_rule_ids', table.concat(missingIds, ' ')}
end

local function settle(part)
  local rule, account, hold, state = part.rule, part.account, part.hold, copyOf(part.account)
  advance(state, rule, account, now)
  local isLastInQueue = state.first == hold.fullAt and state.second == hold.rest
  if part.isStored then
    account:removeHold(hold)
  end
  if not rule.algorithm.chargesHolds then
    forceState(state, account, part.actual, now)
  else
    forceState(state, account, max(0, part.actual - hold.amount), now)
    if part.actual < hold.amount and isLastInQueue then
      setNumbers(state, rule.algorithm.giveBack(state.first, state.second, rule, hold.amount - part.actual))
    end
  end
  account:take(state)
end

local function renew(part)
  local account, state = part.account, copyOf(part.account)
  advance(state, part.rule, account, now)
  account:renewHold(part.hold.member, part.hold.ttl, now)
  account:take(state)
end

local isAnyThere = size == 0 and isAlive
local units, charged = {}, {}
for _, part in ipairs(parts) do
  if part.isThere then
    isAnyThere = true
    if verb == 'renew' and part.isStored then
      renew(part)
    elseif verb ~= 'renew' then
      if part.isStored or part.actual > 0 then
        settle(part)
      end
      if part.unit ~= 'slots' then
        if not charged[part.unit] then
          units[#units + 1] = part.unit
        end
        charged[part.unit] = max(charged[part.unit] or 0, part.actual)
      end
    end
  end
end

-- Write, each key with its time to live.
for _, account in pairs(accounts) do
  account:commit(now)
end

if isAnyThere and verb == 'renew' then
  local ttl = tonumber(known[2])
  local expiry = now + ttl
  redis.call('HSET', permitKey, 'expiry', string.format('%d', expiry))
  redis.call('PEXPIRE', permitKey, string.format('%d', math.ceil(ttl / 1000) + rememberMs + SPARE_MS))
  if isRemembered then
    redis.call('SET', idKey, cmsgpack.pack(asked, expiry, answer, owner, turnAt or {0, 0}, isShared or false), 'KEEPTTL')
  end
  return {'renewed', expiry}
end

local ending = {isAnyThere and 'settled' or 'expired'}
for _, unit in ipairs(units) do
  ending[#ending + 1], ending[#ending + 2] = unit, charged[unit]
end
for i = 1, size do
  redis.call('HDEL', permitKey, 'part' .. i)
end
redis.call('HSET', permitKey, 'ending', cmsgpack.pack(ending))
redis.call('PEXPIRE', permitKey, string.format('%d', rememberMs + SPARE_MS))
if isRemembered and owner == '' then
  redis.call('DEL', idKey)
elseif isRemembered then -- what was answered is over; the id still belongs to its owner
  redis.call('SET', idKey, cmsgpack.pack('', -1, {}, owner, {0, 0}), 'KEEPTTL')
end
return ending
