-- Decides many requests in one call. Each is decided separately, all or nothing; later ones see what earlier ones took.
-- A request that travels alone goes to bucket.lua or request.lua instead.
--
-- Supports what nearly all requests need: token buckets, fixed windows (except calendar windows) and sliding windows,
-- with nothing held, no id, and each account at most once in a request. Anything else that is found in a state (other
-- numbers of the rule, holds, a clock that was set back) is not handled here: that request gets NEEDS_DECIDE, changes
-- nothing, and is sent to decide.lua by the node.
--
-- The arithmetic is that of token_bucket.lua, fixed_window.lua and sliding_window.lua, inlined: calling their functions
-- would cost Redis up to half as much again (docs/adr/0015-readable-scripts.md). PackedCallDifferentialIT checks that both
-- are equal.
--
-- KEYS   the keys of the states, each once
-- ARGV   1  integers, big-endian, of the given number of bytes:
--             the number of rules (2), of sorts of charges (2) and of numbers in the last list (2)
--             per rule: algorithm (1): 0 token bucket, 1 fixed window, 2 sliding window; tick in microseconds (4);
--               capacity (7) and debt (7) in permits; n of a bucket, the length of a fixed window in microseconds or
--               that of a sliding window in ticks (7); p (7) and ceiling (7) of a bucket; rule id, 0 for none (2)
--             per sort (the common properties of some charges): flags (1): 1 enforced, 2 peek, 4 the last charge of its
--               request, 8 the only charge of its request and the only one on its key, 16 the only charge of several
--               equal requests; rule, from 1 (2); cost (7)
--             per charge: sort, from 1 (2); key, from 1 (2). A sort with flag 8 is followed by the number of further
--               charges of that sort, each on the next key (2); one with flag 16 by the number of equal requests (2).
--               In a request, enforced charges come first.
-- Reply  integers in one string: the time in microseconds (7), then per charge in the order sent:
--          outcome of its request (1): 0 denied, 1 allowed, 2 needs decide.lua, 3 a key has a foreign value; plus 4 if
--            this charge exceeded its limit
--          the three numbers of its state afterwards (7 each); only the first if every rule is a bucket with n = 1
--        Equal requests have two such entries: the first has the outcome and, as its first number, how many of them are
--        charged, in order; the second has their state before. The node computes the states in between.

local DENIED, ALLOWED, NEEDS_DECIDE, FOREIGN_VALUE, EXCEEDED = 0, 1, 2, 3, 4
local ENFORCED, PEEK, LAST, ALONE, EQUAL = 1, 2, 4, 8, 16
local BUCKET, FIXED_WINDOW, SLIDING_WINDOW = 0, 1, 2
local floor, format, sub, tonumber, type = math.floor, string.format, string.sub, tonumber, type
local call, tryCall, KEYS = redis.call, redis.pcall, KEYS

-- Parse.
local ruleCount, sortCount, numberCount, position = struct.unpack('>I2I2I2', ARGV[1])
local rules, isNarrow, fullForm = {}, true, nil
for i = 1, ruleCount do
  local kind, tick, capacity, debt, n, p, ceiling, id
  kind, tick, capacity, debt, n, p, ceiling, id, position = struct.unpack('>BI4I7I7I7I7I7I2', ARGV[1], position)
  local rule = {kind = kind, tick = tick, capacity = capacity, debt = debt, id = id,
    ticks = floor(now / tick)}
  if kind == BUCKET then
    rule.n, rule.p, rule.ceiling = n, p, ceiling
    rule.expiryStep, rule.base = expiryStep(rule), shortBase(tick)
    rule.isSimple = n == 1 and id > 0 and rule.ticks + capacity * p < rule.base + SHORT_TICKS
  elseif kind == FIXED_WINDOW then
    rule.length = n
  else
    rule.window = n
  end
  isNarrow = isNarrow and kind == BUCKET and n == 1
  rules[i] = rule
end
local sorts = {}
for i = 1, sortCount do
  local flags, rule, cost
  flags, rule, cost, position = struct.unpack('>BI2I7', ARGV[1], position)
  rule = rules[rule]
  sorts[i] = {rule = rule, cost = cost, isEnforced = flags % PEEK >= ENFORCED, isLast = flags % ALONE >= LAST,
    isAlone = flags % EQUAL >= ALONE, isEqual = flags >= EQUAL, isCharged = cost > 0 and flags % LAST < PEEK,
    amount = rule.kind == BUCKET and cost * rule.p or 0}
end
local numbers = {struct.unpack('>' .. string.rep('I2', numberCount), ARGV[1], position)}

-- Load.
local stored = call('MGET', unpack(KEYS))

-- Compute. For each open key: its rule, the three numbers of its current state, the rest that was stored with it if it
-- has the short form, and, if it was charged, its first number before that (-1 if a new window starts).
local ruleOf, first, second, third, shortRest, firstBefore = {}, {}, {}, {}, {}, {}
local reply, place, width = {now}, 2, isNarrow and 2 or 4

-- Opens the state under a key and advances it to now. Returns the outcome for its request so far.
local function open(k, rule)
  local text = stored[k]
  local x, y, z = 0, 0, 0
  if not text then
    if call('EXISTS', KEYS[k]) == 1 then -- MGET does not show other types, and SET would overwrite them
      return FOREIGN_VALUE
    end
  elseif isShort(text) then
    local digits, ticks = decodeShort(text)
    y = digits - rule.id
    if rule.id == 0 or y < 0 or y >= rule.n then
      return NEEDS_DECIDE
    end
    x, shortRest[k] = ticks + rule.base, y
  else
    fullForm = fullForm or newFullForm()
    rule.head = rule.head or fullForm.head(rule.tick, rule.capacity, rule.debt, rule.n, rule.p, rule.ceiling)
    if sub(text, 1, #rule.head) ~= rule.head then
      return NEEDS_DECIDE
    end
    x, y, z = fullForm.decode(text, rule.head)
    if not x then
      return FOREIGN_VALUE
    end
  end
  if rule.kind == BUCKET then -- fullAt, rest
    if (x - rule.ticks) * rule.n + y > rule.ceiling then
      return NEEDS_DECIDE
    end
  elseif rule.kind == FIXED_WINDOW then -- start, count
    local start = now - now % rule.length
    if x > start then
      return NEEDS_DECIDE
    elseif x < start then
      x, y = start, 0
    end
  else -- window, count, previous
    local window = floor(rule.ticks / rule.window)
    local ahead = window - x
    if ahead < 0 or z > rule.capacity + rule.debt then
      return NEEDS_DECIDE
    elseif ahead > 0 then
      x, y, z = window, 0, ahead == 1 and y or 0
    end
  end
  ruleOf[k], first[k], second[k], third[k] = rule, x, y, z
  return ALLOWED
end

-- Charges an open key. Returns the first two numbers of its new state.
local function charge(k, rule, amount, cost)
  local x, y = first[k], second[k]
  if rule.kind == BUCKET then
    firstBefore[k] = firstBefore[k] or x
    local n, part = rule.n, amount % rule.n
    if x < rule.ticks then
      x, y = rule.ticks, 0
    end
    x, y = x + (amount - part) / n, y + part
    if y >= n then
      x, y = x + 1, y - n
    end
  else
    firstBefore[k] = firstBefore[k] or y > 0 and x or -1
    y = y + cost
  end
  first[k], second[k] = x, y
  return x, y
end

-- Decides equal requests with one charge each, as if they came one by one: as many as fit are charged, all at once.
local function decideEqual(sort, k, count)
  local rule, charged = sort.rule, 0
  local outcome = not ruleOf[k] and open(k, rule) or ruleOf[k] == rule and ALLOWED or NEEDS_DECIDE
  local x, y, z = first[k] or 0, second[k] or 0, third[k] or 0
  if outcome == ALLOWED then
    if rule.kind == BUCKET then
      local whole = x - rule.ticks
      charged = floor((rule.capacity * rule.p - (whole < 0 and 0 or whole * rule.n + y)) / sort.amount)
    elseif rule.kind == FIXED_WINDOW then
      charged = floor((rule.capacity - y) / sort.cost)
    else
      local before = z * ((x + 1) * rule.window - rule.ticks) -- the weighted count of the previous window
      charged = floor((rule.capacity - y - (before - before % rule.window) / rule.window
        - (before % rule.window > 0 and 1 or 0)) / sort.cost)
    end
    charged = charged < 0 and 0 or charged > count and count or charged
    if charged > 0 then
      charge(k, rule, charged * sort.amount, charged * sort.cost)
    end
  end
  reply[place], reply[place + 1], reply[place + width], reply[place + width + 1] = outcome, charged, 0, x
  if not isNarrow then
    reply[place + 2], reply[place + 3], reply[place + 6], reply[place + 7] = 0, 0, y, z
  end
  place = place + 2 * width
end

-- Decides one request, given as the sorts and keys of its charges. All charges are checked before the first is made.
local exceeded = {} -- per charge of the current request: EXCEEDED or 0
local function decideRequest(requestSorts, requestKeys, size)
  local outcome = ALLOWED
  for i = 1, size do
    local sort, k = requestSorts[i], requestKeys[i]
    local rule, fits = sort.rule, nil
    local opened = not ruleOf[k] and open(k, rule) or ruleOf[k] == rule and ALLOWED or NEEDS_DECIDE
    if opened ~= ALLOWED then
      outcome = opened
      break
    end
    local x, y = first[k], second[k]
    if rule.kind == BUCKET then
      local whole = x - rule.ticks
      fits = (whole < 0 and 0 or whole * rule.n + y) + sort.amount <= rule.capacity * rule.p
    elseif rule.kind == FIXED_WINDOW then
      fits = y + sort.cost <= rule.capacity
    else
      local free, ticksLeft = rule.capacity - y - sort.cost, (x + 1) * rule.window - rule.ticks
      fits = free >= 0 and third[k] * ticksLeft <= free * rule.window
    end
    exceeded[i] = fits and 0 or EXCEEDED
    if not fits and sort.isEnforced then
      outcome = DENIED
    end
  end
  for i = 1, size do
    local sort, k = requestSorts[i], requestKeys[i]
    local rule, x, y = sort.rule, first[k] or 0, second[k] or 0
    if outcome == ALLOWED and sort.isCharged and exceeded[i] == 0 then
      x, y = charge(k, rule, sort.amount, sort.cost)
    end
    reply[place], reply[place + 1] = outcome < NEEDS_DECIDE and outcome + exceeded[i] or outcome, x
    if not isNarrow then
      reply[place + 2], reply[place + 3] = y, third[k] or 0
    end
    place = place + width
  end
end

-- A shortcut for most requests, with the arithmetic of token_bucket.lua inlined. It applies to a single charge on a key
-- that no other request uses, if the rule is a bucket with n = 1 whose state is in use and in the short form, even a
-- full backlog fits in that form, the charge fits, and it does not move the expiry of the key. The charge is then one
-- immediate INCRBY. Returns the first key of the run for which this does not apply.
local function chargeSimpleBuckets(sort, from, to)
  local rule = sort.rule
  local base, tick, step, prefix = rule.base, rule.tick, rule.expiryStep, format('%d', rule.id)
  local ticks, added = rule.ticks, sort.amount
  local most, addedText = rule.capacity * rule.p - added, format('%d', added)
  for k = from, to do
    local text = stored[k]
    local fullAt = text and #text == 19 and sub(text, 1, 4) == prefix and tonumber(sub(text, 5))
    if not fullAt then
      return k
    end
    fullAt = fullAt + base
    if fullAt < ticks or fullAt - ticks > most or (fullAt + 1) * tick % step + added * tick >= step
      or type(tryCall('INCRBY', KEYS[k], addedText)) ~= 'number' then -- it was not a number
      return k
    end
    reply[place], reply[place + 1] = ALLOWED, fullAt + added
    if not isNarrow then
      reply[place + 2], reply[place + 3] = 0, 0
    end
    place = place + width
  end
  return to + 1
end

local requestSorts, requestKeys, size, at = {}, {}, 0, 1
while at < numberCount do
  local sort, k = sorts[numbers[at]], numbers[at + 1]
  at = at + 2
  if sort.isAlone then
    local last = k + numbers[at]
    at = at + 1
    requestSorts[1] = sort
    while k <= last do
      if sort.isCharged and sort.rule.isSimple then
        k = chargeSimpleBuckets(sort, k, last)
      end
      if k <= last then
        requestKeys[1] = k
        decideRequest(requestSorts, requestKeys, 1)
        k = k + 1
      end
    end
  elseif sort.isEqual then
    decideEqual(sort, k, numbers[at])
    at = at + 1
  else
    size = size + 1
    requestSorts[size], requestKeys[size] = sort, k
    if sort.isLast then
      decideRequest(requestSorts, requestKeys, size)
      size = 0
    end
  end
end

-- Write each changed state once. Set the expiry only if it moves. Numbers are sent to Redis as text, because some
-- versions would write a hundred million as 1e+8.
local texts = {} -- numbers as text
for k, before in pairs(firstBefore) do
  local rule, x, y, key = ruleOf[k], first[k], second[k], KEYS[k]
  local isMoved, expiry
  if rule.kind == BUCKET then
    local step, time = rule.expiryStep, (x + 1) * rule.tick
    expiry = time - time % step + step
    isMoved = time % step < (x - before) * rule.tick -- a step is crossed
  else
    expiry = rule.kind == FIXED_WINDOW and x + rule.length or (x + 2) * rule.window * rule.tick
    isMoved = x ~= before
  end
  local life
  if isMoved or not stored[k] then
    life = floor((expiry - now) / 1000) + 1 + SPARE_MS
    texts[life] = texts[life] or format('%d', life)
    life = texts[life]
  end
  if shortRest[k] == y and x - rule.base < SHORT_TICKS then
    local added = x - before
    texts[added] = texts[added] or format('%d', added)
    call('INCRBY', key, texts[added])
    if life then
      call('PEXPIRE', key, life)
    end
  else
    local text = rule.id > 0 and encodeShort(rule.id, x, y, rule.base)
    if not text then
      fullForm = fullForm or newFullForm()
      rule.head = rule.head or fullForm.head(rule.tick, rule.capacity, rule.debt, rule.n, rule.p, rule.ceiling)
      text = fullForm.encode(rule.head, x, y, third[k])
    end
    if life then
      call('SET', key, text, 'PX', life)
    else
      call('SET', key, text, 'KEEPTTL')
    end
  end
end

-- Reply.
local charges = (place - 2) / width
return struct.pack('>I7' .. string.rep(isNarrow and 'BI7' or 'BI7I7I7', charges), unpack(reply))
