-- Settles a permit at its actual costs, gives it back, or renews it. A permit that other requests were answered with is
-- not given back.
--
-- KEYS   1  the record of the permit
--        2  the record of the request's id; the permit's record again if there is no id
--        then 3 per part: state, holds, entries (see account.lua)
-- ARGV   1  the number of parts
--        2  'settle', 'give back' or 'renew'
--        3  how long the result is remembered, in milliseconds
--        4  the id of the permit
--        then 5 per part: the hold (holds.lua), the rule as text (rule_reader.lua), unit, actual cost, the rule ids
--        that its state may have (account.lua)
-- Reply  1  'unknown'; 'kept': other requests use it; 'expired'; 'renewed'; 'settled'; 'missing_rule_ids' and
--           'missing_boundaries': nothing was changed
--        After 'renewed': when it expires, in microseconds
--        After 'settled': unit, cost and charged cost, for each unit
--        After 'missing_rule_ids': the parts, from 1, with the ids in their states, such as '1:1234 3:5064'
--        After 'missing_boundaries': the time in microseconds that the boundaries of a calendar must reach
-- Record of the permit: when it ended, 'ending' has the status and, if it is settled, unit and cost for each unit.
--        'charged' has the charged cost of each unit in the same order, and is absent if that is the cost.

local max = math.max

-- Parse.
local size, verb, rememberMs, permit = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3]), ARGV[4]
local permitKey, idKey = KEYS[1], KEYS[2]

-- Load.
local known = redis.call('HMGET', permitKey, 'expiry', 'ttl', 'ending', 'charged')
if not known[1] then
  return {'unknown'}
end

-- The reply for an ending and the charged costs; nil if they are the costs.
local function endingReply(ending, charged)
  local reply = {ending[1]}
  for i = 2, #ending, 2 do
    local at = #reply
    reply[at + 1], reply[at + 2], reply[at + 3] = ending[i], ending[i + 1], charged and charged[i / 2] or ending[i + 1]
  end
  return reply
end

if known[3] then
  return endingReply(unpackOrRefuse(permitKey, known[3]), known[4] and unpackOrRefuse(permitKey, known[4]))
end

-- The record of the request's id, as long as it is about this permit and not about a later one. See decide.lua.
local record = idKey ~= permitKey and redis.call('GET', idKey)
local asked, _, answer, owner, turnAt, isShared
if record then
  asked, _, answer, owner, turnAt, isShared = unpackOrRefuse(idKey, record)
end
local isRemembered = answer and answer[4] == permit
owner = owner or ''
-- The record of the id shows whether other requests were answered with this permit. Without it, this is unknown.
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

-- Compute: settle expired holds first, which may include this permit's own.
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

-- A part of cost 0 has no hold and exists as long as the permit. A state in the short form has no holds, so its rule id
-- matters only for such parts.
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

-- Returns the amount that was charged.
local function settle(part)
  local rule, account, hold, state = part.rule, part.account, part.hold, copyOf(part.account)
  advance(state, rule, account, now)
  local isLastInQueue = state.first == hold.fullAt and state.second == hold.rest
  if part.isStored then
    account:removeHold(hold)
  end
  local amount
  if not rule.algorithm.chargesHolds then
    amount = forceState(state, account, part.actual, now)
  else
    amount = hold.amount + forceState(state, account, max(0, part.actual - hold.amount), now)
    if part.actual < hold.amount and isLastInQueue then
      setNumbers(state, rule.algorithm.giveBack(state.first, state.second, rule, hold.amount - part.actual))
      amount = part.actual
    end
  end
  account:take(state)
  return amount
end

local function renew(part)
  local account, state = part.account, copyOf(part.account)
  advance(state, part.rule, account, now)
  account:renewHold(part.hold.member, part.hold.ttl, now)
  account:take(state)
end

local isAnyThere = size == 0 and isAlive
local units, costs, missing = {}, {}, {}
for _, part in ipairs(parts) do
  if part.isThere then
    isAnyThere = true
    if verb == 'renew' and part.isStored then
      renew(part)
    elseif verb ~= 'renew' then
      local amount = (part.isStored or part.actual > 0) and settle(part) or 0
      local unit = part.unit
      if unit ~= 'slots' then
        local rest = part.actual - amount
        if not costs[unit] then
          units[#units + 1], costs[unit], missing[unit] = unit, 0, rest
        end
        costs[unit], missing[unit] = max(costs[unit], part.actual), max(missing[unit], rest)
      end
    end
  end
end

-- Write each key with its time to live.
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

local ending, charged, isAllCharged = {isAnyThere and 'settled' or 'expired'}, {}, true
for i, unit in ipairs(units) do
  ending[2 * i], ending[2 * i + 1], charged[i] = unit, costs[unit], costs[unit] - missing[unit]
  isAllCharged = isAllCharged and missing[unit] == 0
end
for i = 1, size do
  redis.call('HDEL', permitKey, 'part' .. i)
end
redis.call('HSET', permitKey, 'ending', cmsgpack.pack(ending))
if not isAllCharged then
  redis.call('HSET', permitKey, 'charged', cmsgpack.pack(charged))
end
redis.call('PEXPIRE', permitKey, string.format('%d', rememberMs + SPARE_MS))
if isRemembered and owner == '' then
  redis.call('DEL', idKey)
elseif isRemembered then -- the answer no longer applies, but the id still belongs to its owner
  redis.call('SET', idKey, cmsgpack.pack('', -1, {}, owner, {0, 0}), 'KEEPTTL')
end
return endingReply(ending, charged)
