-- Decides the charges of one request together: all are made, or none.
--
-- KEYS  per charge: state, holds, entries; then that of the request's id, and that of the permit, where there is one
-- ARGV  count of charges, decide or peek, longest delay (-1: any), permit id (or empty), its term (0: only slots are
--       held), its lapse, fingerprint of an ask with an id (or empty), how long to remember in ms, the request's own
--       fingerprint to which the id belongs (or empty);
--       per charge: rule, enforced or observed, cost, unit, what marks stand for
-- Answers: the time, 1 if allowed, when the permit expires (or -1), its id; per charge: 1 if exceeded, a, b, c, what is
--       held, the first expiry (or -1), when the entries let it fit (or -1), the state's own ceiling, what the same request
--       asked of the account before, and how many ticks it waits for its turn. In the place of 1: 2 where the id is another
--       request's; 3 if it was allowed when its charges were others. Then only the time of its
--       turn follows, in seconds and microseconds (both 0: at once)

local size, peek, maxDelay = tonumber(ARGV[1]), ARGV[2] == 'peek', tonumber(ARGV[3])
local permit, holdTtl, lapse, fingerprint, rememberMs = ARGV[4], tonumber(ARGV[5]), ARGV[6], ARGV[7], tonumber(ARGV[8])
local owner = ARGV[9]
local idKey, permitKey = KEYS[3 * size + 1], KEYS[#KEYS]
local remember = fingerprint ~= ''

-- Only what was allowed is remembered: a denial leaves nothing behind.
local packed, isOwned = remember and redis.call('GET', idKey), false
if packed then
  local asked, expiry, answer, ownedBy, turnAt, shared = cmsgpack.unpack(packed)
  local isFree = (ownedBy or '') == ''
  isOwned = owner ~= '' and not isFree
  local isOver = expiry >= 0 and now >= expiry -- with its permit: it answers nothing more
  if isOwned and ownedBy ~= owner then
    return {now, 2, -1, ''}
  elseif asked == fingerprint and not isOver then
    if not shared and not peek then -- from now on nobody gives it back alone
      redis.call('SET', idKey, cmsgpack.pack(asked, expiry, answer, ownedBy or '', turnAt or {0, 0}, true), 'KEEPTTL')
    end
    return answer
  elseif isOwned and #answer > 0 and not isOver then
    return {answer[1], 3, answer[3], answer[4], turnAt[1], turnAt[2]}
  end
  remember = isOwned or (isOver and isFree) -- else the id is another ask's: no way around a limit
end

-- In order: enforced ones first. Charges that meet in one account form a chain, each behind the one before.
local accounts, order, lastOf, unknown = {}, {}, {}, {}
for _, effect in ipairs({'enforced', 'observed'}) do
  for i = 1, size do
    local at = 5 * i + 5
    if ARGV[at + 1] == effect then
      local charge = {index = i, rule = readRule(ARGV[at]), text = ARGV[at], enforced = effect == 'enforced',
        cost = tonumber(ARGV[at + 2]), unit = ARGV[at + 3]}
      local state = KEYS[3 * i - 2]
      charge.account = accounts[state]
        or openAccount(state, KEYS[3 * i - 1], KEYS[3 * i], charge.rule, readMarks(ARGV[at + 4]))
      if charge.account.unknownMark then
        unknown[#unknown + 1] = i .. ':' .. charge.account.unknownMark
      end
      accounts[state] = charge.account
      charge.before, lastOf[state] = lastOf[state], charge
      charge.held = holdTtl > 0 and charge.rule.kind ~= lockout or charge.rule.kind == slots
      order[#order + 1] = charge
    end
  end
end
if #unknown > 0 then
  error({err = 'PENSTOCK MARKS ' .. table.concat(unknown, ' ')})
end
local left = MOST_EXPIRED
for _, charge in ipairs(order) do
  if not charge.before then
    left = charge.account:expireHolds(now, left)
  end
end

-- The time of a turn in seconds and microseconds: a leaky bucket of centuries leaves the exact range of one number.
local function timeOfTurn(charge)
  local ticks, perSecond = floor(now / charge.rule.tick) + charge.turn, 1000000 / charge.rule.tick
  return {floor(ticks / perSecond), ticks % perSecond * charge.rule.tick}
end

local function later(one, other)
  return (one[1] > other[1] or one[1] == other[1] and one[2] > other[2]) and one or other
end

local denied, ttl, turnAt = false, holdTtl, {0, 0}
for _, charge in ipairs(order) do
  local rule, account, before = charge.rule, charge.account, charge.before
  local kind = rule.kind
  charge.ahead = before and before.asked or 0
  charge.state = copyOf(before and before.state or account)
  charge.store = advance(charge.state, rule, now, account) or account.lost or (before and before.store)
  local wanted = charge.cost + charge.ahead
  local fits = wanted <= rule.capacity and kind.fits(charge.state, rule, account, wanted, now)
  charge.turn = fits and kind.turn and kind.turn(charge.state, rule, charge.ahead, now) or 0
  local wait = charge.turn > 0 and (floor(now / rule.tick) + charge.turn) * rule.tick - now or 0
  fits = fits and (maxDelay < 0 or wait <= maxDelay)
  if fits and charge.enforced and wait > 0 then
    turnAt = later(timeOfTurn(charge), turnAt)
  end
  charge.asked = (fits or charge.enforced) and wanted or charge.ahead
  charge.exceeded = not fits
  if fits then
    if kind == slots then
      ttl = ttl > 0 and min(ttl, rule.ttl) or rule.ttl
    end
  elseif charge.enforced then
    denied = true
  end
end

local answer = {now, denied and 0 or 1, -1, ''}

local function report(charge, refused)
  local at, s, account = 10 * charge.index - 5, charge.state, charge.account
  local isLog = charge.rule.kind == log
  answer[at] = refused and 1 or 0
  answer[at + 1], answer[at + 2] = s.a, s.b
  answer[at + 3] = not isLog and s.c or account.size > 0 and account:entry(account.size) or 0
  answer[at + 4] = account.held
  answer[at + 5] = account:firstExpiry(now)
  answer[at + 6] = refused and isLog and log.fitsAt(s, charge.rule, account, charge.cost + charge.ahead) or 0
  answer[at + 7] = s.under.ceiling or 0
  answer[at + 8] = charge.ahead
  answer[at + 9] = charge.turn
end

for _, charge in ipairs(order) do
  if charge.exceeded then
    report(charge, true)
  end
end

local expiry = now + ttl
local parts = {}
local function hold(charge)
  local s, rule, account = charge.state, charge.rule, charge.account
  local weight, markA, markB = charge.cost, 0, 0
  if rule.leaky then
    rule.kind.charge(s, rule, account, charge.cost, now)
    weight, markA, markB = 0, s.a, s.b
  end
  local member = string.format('%s %d %d %d %d %s %d %d', permit, #parts + 1, charge.cost, weight, ttl, lapse, markA, markB)
  if charge.cost > 0 then -- else there is nothing to keep: the permit's own expiry says whether it can be settled
    account:addHold(member, weight, ttl, now)
    charge.store = true
  end
  parts[#parts + 1] = table.concat({account.state, account.holds, account.entries, member,
    string.format('%d', charge.cost), charge.text, charge.unit}, '\n')
end

for _, charge in ipairs(order) do
  local account = charge.account
  if denied or peek then
    if not charge.exceeded then
      report(charge, false)
    end
    if charge.store and account.exists then
      account:take(charge.state)
    end
  else
    if charge.before then
      charge.state = copyOf(charge.before.state)
      charge.store = advance(charge.state, charge.rule, now, account) or charge.store or charge.before.store
    end
    if not charge.exceeded then
      if charge.held then
        hold(charge)
      elseif charge.cost > 0 then
        charge.rule.kind.charge(charge.state, charge.rule, account, charge.cost, now)
        charge.store = true
      end
      report(charge, false)
    end
    if charge.store then
      account:take(charge.state)
    end
  end
end

for _, account in pairs(accounts) do
  account:commit(now, SPARE_MS)
end
if denied or peek then
  if denied and not peek and remember and isOwned then
    redis.call('SET', idKey, cmsgpack.pack('', -1, {}, owner, {0, 0}), 'KEEPTTL') -- what was allowed once is over
  elseif denied and not peek and remember and packed then
    redis.call('DEL', idKey) -- what it answered is over, and stays so if the clock goes back
  end
  return answer
end

if permit ~= '' and (holdTtl > 0 or #parts > 0) then
  answer[3], answer[4] = expiry, permit
  local fields = {'expiry', string.format('%d', expiry), 'ttl', string.format('%d', ttl), 'id', remember and idKey or ''}
  for i, part in ipairs(parts) do
    fields[#fields + 1], fields[#fields + 2] = 'part' .. i, part
  end
  redis.call('HSET', permitKey, unpack(fields))
  redis.call('PEXPIRE', permitKey, string.format('%d', ceil(ttl / 1000) + rememberMs + SPARE_MS))
end
if remember then
  redis.call('SET', idKey, cmsgpack.pack(fingerprint, answer[3], answer, owner, turnAt), 'PX',
    string.format('%d', rememberMs + SPARE_MS))
end
return answer
