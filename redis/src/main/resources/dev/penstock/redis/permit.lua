-- Ends a permit at its actual costs, gives it back unless others were answered with it, or gives it its term again.
--
-- KEYS  the permit's; that of the request's id, or the permit's again; per part: state, holds, entries
-- ARGV  count of parts, settle, give back or renew, how long to remember in ms, the permit's id; per part: hold, rule, unit,
--       actual cost, what marks stand for
-- Answers: unknown; kept; expired; renewed and its expiry; settled and, per unit, the unit and what was charged

local size, verb, rememberMs = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3])
local permitKey, idKey = KEYS[1], KEYS[2]

local known = redis.call('HMGET', permitKey, 'expiry', 'ttl', 'ending')
if not known[1] then
  return {'unknown'}
end
if known[3] then
  return cmsgpack.unpack(known[3])
end

-- What is remembered under the request's id, while that stands for this permit and no later one
local packed = idKey ~= permitKey and redis.call('GET', idKey)
local asked, _, answer, owner, turnAt, shared
if packed then
  asked, _, answer, owner, turnAt, shared = cmsgpack.unpack(packed)
end
local isRemembered = answer and answer[4] == ARGV[4]
owner = owner or ''
-- Whether others were answered with it is known only while it is remembered.
if verb == 'give back' and idKey ~= permitKey and (shared or not isRemembered) then
  return {'kept'}
end

local accounts, parts = {}, {}
for i = 1, size do
  local at, key = 5 * i, 3 * i
  local part = {rule = readRule(ARGV[at + 1]), unit = ARGV[at + 2], actual = tonumber(ARGV[at + 3])}
  local state = KEYS[key]
  part.account = accounts[state] or openAccount(state, KEYS[key + 1], KEYS[key + 2], part.rule, readMarks(ARGV[at + 4]))
  accounts[state] = part.account
  part.hold = readHold(ARGV[at])
  part.isStored = part.account.count > 0 and redis.call('ZSCORE', part.account.holds, part.hold.member)
  parts[i] = part
end

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

-- What costs nothing is not stored: it is there for as long as the permit. A state in short holds nothing, so only there it
-- matters what its mark stands for.
local isAlive, unknown = now < tonumber(known[1]), {}
for i, part in ipairs(parts) do
  part.isStored = part.isStored and not isRemoved[part.account][part.hold.member]
  part.isThere = part.isStored or part.hold.amount == 0 and isAlive
  if part.isThere and not part.isStored and part.actual > 0 and verb ~= 'renew' and part.account.unknownMark then
    unknown[#unknown + 1] = i .. ':' .. part.account.unknownMark
  end
end
if #unknown > 0 then
  error({err = 'PENSTOCK MARKS ' .. table.concat(unknown, ' ')})
end

local function settle(part)
  local rule, account, hold, s = part.rule, part.account, part.hold, copyOf(part.account)
  advance(s, rule, now, account)
  local nobodyBehind = s.a == hold.markA and s.b == hold.markB
  if part.isStored then
    account:removeHold(hold)
  end
  if not rule.leaky then
    rule.kind.force(s, rule, account, part.actual, now)
  else
    rule.kind.force(s, rule, account, max(0, part.actual - hold.amount), now)
    if part.actual < hold.amount and nobodyBehind then
      local back = (hold.amount - part.actual) * rule.p
      local rest = s.b - back % rule.n
      s.a = s.a - floor(back / rule.n) - (rest < 0 and 1 or 0)
      s.b = rest < 0 and rest + rule.n or rest
    end
  end
  account:take(s)
end

local function renew(part)
  local account, s = part.account, copyOf(part.account)
  advance(s, part.rule, now, account)
  account:renewHold(part.hold.member, part.hold.ttl, now)
  account:take(s)
end

local any = size == 0 and isAlive
local units, charged = {}, {}
for _, part in ipairs(parts) do
  if part.isThere then
    any = true
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
for _, account in pairs(accounts) do
  account:commit(now, SPARE_MS)
end

if any and verb == 'renew' then
  local ttl = tonumber(known[2])
  local expiry = now + ttl
  redis.call('HSET', permitKey, 'expiry', string.format('%d', expiry))
  redis.call('PEXPIRE', permitKey, string.format('%d', ceil(ttl / 1000) + rememberMs + SPARE_MS))
  if isRemembered then
    redis.call('SET', idKey, cmsgpack.pack(asked, expiry, answer, owner, turnAt or {0, 0}, shared or false), 'KEEPTTL')
  end
  return {'renewed', expiry}
end

local ending = {any and 'settled' or 'expired'}
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
elseif isRemembered then -- what was answered is over; whose the id is, is not
  redis.call('SET', idKey, cmsgpack.pack('', -1, {}, owner, {0, 0}), 'KEEPTTL')
end
return ending
