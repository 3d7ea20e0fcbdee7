-- Decides the charges of one request together: all are made, or none. Supports every algorithm, permits and request
-- ids. Requests that need none of that use batch.lua.
--
-- KEYS   3 per charge: state, holds, entries (see account.lua)
--        then the record of the request's id, if it has one
--        then the record of the permit, if the request can hold something
-- ARGV   1  the number of charges
--        2  'decide' or 'peek'
--        3  the longest acceptable delay in microseconds; -1: any
--        4  the id of the permit; empty if nothing can be held
--        5  how long the permit holds the cost, in microseconds; 0: it holds slots only
--        6  what happens to a hold that expires: 'charged' or 'given_back'
--        7  the fingerprint of the charges, for a request with an id; otherwise empty
--        8  how long answers are remembered, in milliseconds
--        9  the fingerprint of the request that owns the id; empty if the id has no owner
--        then 5 per charge: the rule as text (rule_reader.lua), 'enforced' or 'shadow', cost, unit, the rule ids that
--        its state may have (account.lua)
-- Reply  1  the time in microseconds
--        2  the outcome: 0 denied, 1 allowed, 2 the id belongs to another request, 3 allowed earlier, with other
--           charges, 4 rule ids are missing, 5 the boundaries of a calendar do not reach far enough
--        3  when the permit expires, in microseconds; -1 without a permit
--        4  the id of the permit; empty without a permit
--        After 0 and 1, 10 per charge: 1 if it exceeded the limit; the three numbers of its state (the third of a
--        sliding log is the time of its newest entry); the total of its holds; when the first hold expires, in
--        microseconds (-1: none); when the entries of a log let the cost fit, in microseconds (-1: this does not depend
--        on the entries alone); the ceiling of the state; the cost of the request's earlier charges to the account; and
--        the number of ticks until its turn. Then 1 per charge: when the last hold expires, in microseconds (-1: none).
--        Earlier versions read and remember replies without it
--        After 3: the time of its turn, in seconds and microseconds (both 0: at once)
--        After 4: the charges, from 1, with the ids in their states, such as '1:1234 3:5064'. Nothing was changed
--        After 5: the time in microseconds that the boundaries must reach. Nothing was changed
-- Record of an id, packed by cmsgpack: the fingerprint of the charges, when the permit expires (-1: never), the reply,
--        the owner, the time of its turn, and whether the reply was given more than once.

local DENIED, ALLOWED, ID_TAKEN, ALLOWED_EARLIER, MISSING_RULE_IDS, MISSING_BOUNDARIES = 0, 1, 2, 3, 4, 5
local NO_TURN = {0, 0}
local floor, ceil, min = math.floor, math.ceil, math.min

-- Parse.
local size, isPeek, maxDelay = tonumber(ARGV[1]), ARGV[2] == 'peek', tonumber(ARGV[3])
local permit, holdTtl, lapse, fingerprint, rememberMs = ARGV[4], tonumber(ARGV[5]), ARGV[6], ARGV[7], tonumber(ARGV[8])
local owner = ARGV[9]
local idKey, permitKey = KEYS[3 * size + 1], KEYS[#KEYS]
local isRemembered = fingerprint ~= ''

-- A request that was already allowed under its id gets the same answer. Denials are not remembered.
local record, isOwned = isRemembered and redis.call('GET', idKey), false
if record then
  local asked, expiry, reply, ownedBy, turnAt, isShared = unpackOrRefuse(idKey, record)
  local isFree = (ownedBy or '') == ''
  isOwned = owner ~= '' and not isFree
  local isOver = expiry >= 0 and now >= expiry -- the permit has expired, and the record with it
  if isOwned and ownedBy ~= owner then
    return {now, ID_TAKEN, -1, ''}
  elseif asked == fingerprint and not isOver then
    if not isShared and not isPeek then -- from now on, neither of the two requests may give it back
      redis.call('SET', idKey, cmsgpack.pack(asked, expiry, reply, ownedBy or '', turnAt or NO_TURN, true), 'KEEPTTL')
    end
    return reply
  elseif isOwned and #reply > 0 and not isOver then
    return {reply[1], ALLOWED_EARLIER, reply[3], reply[4], turnAt[1], turnAt[2]}
  end
  -- otherwise the id belongs to other charges, and must not bypass a limit
  isRemembered = isOwned or (isOver and isFree)
end

-- Load. Enforced charges come first. Charges of one account form a chain: each sees what the earlier ones took.
local accounts, charges, lastOf, missingIds, outsideCalendar = {}, {}, {}, {}, nil
for _, effect in ipairs({'enforced', 'shadow'}) do
  for i = 1, size do
    local at = 5 * i + 5
    if ARGV[at + 1] == effect then
      local charge = {index = i, rule = readRule(ARGV[at]), ruleText = ARGV[at], isEnforced = effect == 'enforced',
        cost = tonumber(ARGV[at + 2]), unit = ARGV[at + 3]}
      local key = KEYS[3 * i - 2]
      local account = accounts[key]
        or openAccount(key, KEYS[3 * i - 1], KEYS[3 * i], charge.rule, readRuleIds(ARGV[at + 4]))
      accounts[key], charge.account = account, account
      if account.unknownRuleId then
        missingIds[#missingIds + 1] = i .. ':' .. account.unknownRuleId
      end
      outsideCalendar = outsideCalendar or account.outsideCalendar
      charge.before, lastOf[key] = lastOf[key], charge
      local algorithm = charge.rule.algorithm
      charge.isHeld = algorithm.isAlwaysHeld or holdTtl > 0 and not algorithm.isNeverHeld
      charges[#charges + 1] = charge
    end
  end
end
if outsideCalendar then
  return {now, MISSING_BOUNDARIES, -1, '', outsideCalendar}
elseif #missingIds > 0 then
  return {now, MISSING_RULE_IDS, -1, '', table.concat(missingIds, ' ')}
end

-- Compute: settle expired holds, then check whether all charges fit.
local left = MOST_EXPIRED
for _, charge in ipairs(charges) do
  if not charge.before then
    left = charge.account:expireHolds(now, left)
  end
end

-- The time of a turn in seconds and microseconds. One number of microseconds would be inexact for a queue that takes
-- centuries to drain.
local function timeOfTurn(charge)
  local ticks, perSecond = floor(now / charge.rule.tick) + charge.turn, 1000000 / charge.rule.tick
  return {floor(ticks / perSecond), ticks % perSecond * charge.rule.tick}
end

local function later(one, other)
  return (one[1] > other[1] or one[1] == other[1] and one[2] > other[2]) and one or other
end

local isDenied, ttl, turnAt = false, holdTtl, NO_TURN
for _, charge in ipairs(charges) do
  local rule, account, before = charge.rule, charge.account, charge.before
  charge.ahead = before and before.asked or 0
  charge.state = copyOf(before and before.state or account)
  charge.mustStore = advance(charge.state, rule, account, now) or account.isLost or (before and before.mustStore)
  local state, wanted = charge.state, charge.cost + charge.ahead
  local fits = wanted <= rule.capacity and stateFits(state, account, wanted, now)
  charge.turn = fits and rule.algorithm.turn
    and rule.algorithm.turn(state.first, state.second, state.rule, charge.ahead, now) or 0
  local wait = charge.turn > 0 and (floor(now / rule.tick) + charge.turn) * rule.tick - now or 0
  fits = fits and (maxDelay < 0 or wait <= maxDelay)
  if fits and charge.isEnforced and wait > 0 then
    turnAt = later(timeOfTurn(charge), turnAt)
  end
  charge.asked = (fits or charge.isEnforced) and wanted or charge.ahead
  charge.isExceeded = not fits
  if fits and rule.algorithm.isAlwaysHeld then
    ttl = ttl > 0 and min(ttl, rule.ttl) or rule.ttl
  elseif not fits and charge.isEnforced then
    isDenied = true
  end
end

local reply = {now, isDenied and DENIED or ALLOWED, -1, ''}

local function report(charge)
  local at, state, account = 10 * charge.index - 5, charge.state, charge.account
  local algorithm, isExceeded = charge.rule.algorithm, charge.isExceeded
  reply[at] = isExceeded and 1 or 0
  reply[at + 1], reply[at + 2] = state.first, state.second
  reply[at + 3] = algorithm.hasEntries and account.entries:newest() or state.third
  reply[at + 4] = account.held
  reply[at + 5] = account:firstHoldExpiry(now)
  reply[at + 6] = isExceeded and algorithm.fitsAt
    and algorithm.fitsAt(state.first, state.second, charge.rule, account, charge.cost + charge.ahead) or 0
  reply[at + 7] = state.rule.ceiling or 0
  reply[at + 8] = charge.ahead
  reply[at + 9] = charge.turn
  reply[4 + 10 * size + charge.index] = account:lastReportedExpiry(now)
end

-- Charges that exceeded their limit are reported as they were seen, before anything is charged.
for _, charge in ipairs(charges) do
  if charge.isExceeded then
    report(charge)
  end
end

local expiry = now + ttl
local parts = {} -- the parts of the permit: the charges that it holds
local function hold(charge)
  local state, account = charge.state, charge.account
  local weight, fullAt, rest = charge.cost, 0, 0
  if charge.rule.algorithm.chargesHolds then
    if charge.cost > 0 then
      chargeState(state, account, charge.cost, now)
    end
    weight, fullAt, rest = 0, state.first, state.second
  end
  local member = string.format('%s %d %d %d %d %s %d %d',
    permit, #parts + 1, charge.cost, weight, ttl, lapse, fullAt, rest)
  if charge.cost > 0 then -- nothing is held for a cost of 0, and the permit's record has its expiry
    account:addHold(member, weight, ttl, now)
    charge.mustStore = true
  end
  parts[#parts + 1] = table.concat({account.stateKey, account.holdsKey, account.entriesKey, member,
    string.format('%d', charge.cost), charge.ruleText, charge.unit}, '\n')
end

for _, charge in ipairs(charges) do
  local account = charge.account
  if isDenied or isPeek then
    if not charge.isExceeded then
      report(charge)
    end
    if charge.mustStore and account.exists then
      account:take(charge.state)
    end
  else
    if charge.before then -- the earlier charge may have been made since
      charge.state = copyOf(charge.before.state)
      charge.mustStore = advance(charge.state, charge.rule, account, now) or charge.mustStore or charge.before.mustStore
    end
    if not charge.isExceeded then
      if charge.isHeld then
        hold(charge)
      elseif charge.cost > 0 then
        chargeState(charge.state, account, charge.cost, now)
        charge.mustStore = true
      end
      report(charge)
    end
    if charge.mustStore then
      account:take(charge.state)
    end
  end
end

-- Write each key with its time to live.
for _, account in pairs(accounts) do
  account:commit(now)
end
if isDenied or isPeek then
  if isDenied and not isPeek and isRemembered and isOwned then
    -- the permit that was granted under the id has ended
    redis.call('SET', idKey, cmsgpack.pack('', -1, {}, owner, NO_TURN), 'KEEPTTL')
  elseif isDenied and not isPeek and isRemembered and record then
    redis.call('DEL', idKey) -- the permit has ended, and must stay so even if the clock is set back
  end
  return reply
end
if permit ~= '' and (holdTtl > 0 or #parts > 0) then
  reply[3], reply[4] = expiry, permit
  local fields = {'expiry', string.format('%d', expiry), 'ttl', string.format('%d', ttl),
    'id', isRemembered and idKey or ''}
  for i, part in ipairs(parts) do
    fields[#fields + 1], fields[#fields + 2] = 'part' .. i, part
  end
  redis.call('HSET', permitKey, unpack(fields))
  redis.call('PEXPIRE', permitKey, string.format('%d', ceil(ttl / 1000) + rememberMs + SPARE_MS))
end
if isRemembered then
  redis.call('SET', idKey, cmsgpack.pack(fingerprint, reply[3], reply, owner, turnAt), 'PX',
    string.format('%d', rememberMs + SPARE_MS))
end
return reply
