-- Decides many requests in one go, each for itself and all or nothing; later ones see what earlier ones took.
--
-- The short way, for what nearly all requests are: token buckets and windows of one length, nothing held, no id, each
-- account once in a request. What turns out to be more (other numbers, holds, a clock that went back) is answered 2 and
-- changes nothing here: it is asked again the long way. The arithmetic is that of rules.lua, written out.
--
-- KEYS  the states, each once
-- ARGV  one text of numbers: count of limits; per limit its kind (0 bucket, 1 fixed, 2 sliding), tick, capacity, debt, n or
--       the window, p, ceiling; count of requests; per request the count of charges, enforced ones first, the count of
--       those, and 1 to only peek; per charge its key and its limit, from 1, and its cost
-- Answers: the time; per request 0 denied, 1 allowed, 2 the long way, 3 a key that is no state of ours; for 0 and 1 a
--       number whose bits say which charges exceeded, and per charge a and b, of a sliding window also c

local floor, spread, pack, unpack = math.floor, unpack, struct.pack, struct.unpack
local numbers, position = ARGV[1], 1

local limitCount
limitCount, position = unpack('>I2', numbers, position)
local limits = {}
for i = 1, limitCount do
  local l = {}
  l.kind, l.tick, l.capacity, l.debt, l.n, l.p, l.ceiling, position = unpack('>BI4I7I7I7I7I7', numbers, position)
  l.ticks = floor(now / l.tick)
  if l.kind == 0 then
    l.numbers = '\1' .. cmsgpack.pack(l.tick, l.capacity, l.debt, l.n, l.p, l.ceiling)
    l.most, l.tolerance = floor(l.ceiling / l.n), l.capacity * l.p
  else
    l.numbers = '\1' .. cmsgpack.pack(l.tick, l.capacity, l.debt, 0, 0, 0)
    l.window = floor(l.ticks / l.n)
  end
  l.length = #l.numbers
  limits[i] = l
end

local states = redis.call('MGET', spread(KEYS))
local as, bs, cs, under, changed, foreign = {}, {}, {}, {}, {}, {}

-- MGET says nothing of a key that holds something else, and SET would overwrite it.
local missing = {}
for k = 1, #KEYS do
  if not states[k] then
    missing[#missing + 1] = KEYS[k]
  end
end
if #missing > 0 and redis.call('EXISTS', spread(missing)) > 0 then
  for k = 1, #KEYS do
    foreign[k] = not states[k] and redis.call('EXISTS', KEYS[k]) == 1
  end
end

-- Reads a state written under the limit's own numbers; answers false for any other.
local function read(k, index, l)
  if under[k] then
    return under[k] == index
  end
  local state = states[k]
  if not state then
    as[k], bs[k], cs[k] = 0, 0, 0
  else
    local rest = #state - l.length
    if rest < 7 or state:sub(1, l.length) ~= l.numbers then
      return false
    end
    if rest == 7 then
      as[k], bs[k], cs[k] = unpack('>I7', state, l.length + 1), 0, 0
    else
      as[k], bs[k], cs[k] = unpack('>I7I7I7', state, l.length + 1)
    end
  end
  under[k] = index
  return true
end

local answer, charges = {now}, {}
local requestCount
requestCount, position = unpack('>I2', numbers, position)
for _ = 1, requestCount do
  local count, enforced, peek
  count, enforced, peek, position = unpack('>BBB', numbers, position)
  local outcome, exceeded, bit = 1, 0, 1
  for i = 1, count do
    local charge = charges[i] or {}
    charges[i] = charge
    local k, index, cost
    k, index, cost, position = unpack('>I2I2I7', numbers, position)
    charge.k, charge.cost, charge.limit = k, cost, limits[index]
    local l = charge.limit
    local fits = false
    if foreign[k] then
      outcome = 3
    elseif outcome < 2 and not read(k, index, l) then
      outcome = 2
    end
    if outcome < 2 then
      local a, b, c = as[k], bs[k], cs[k]
      if l.kind == 0 then
        local whole = a - l.ticks
        local backlog = whole < 0 and 0 or whole * l.n + b
        if whole > l.most or backlog > l.ceiling then
          outcome = 2
        end
        fits = cost <= l.capacity and backlog + cost * l.p <= l.tolerance
      elseif l.kind == 1 then
        local start = now - now % l.n
        if a > start then
          outcome = 2
        elseif a < start then
          a, b = start, 0
        end
        fits = b + cost <= l.capacity
      else
        local ahead = l.window - a
        if ahead < 0 then
          outcome = 2
        elseif ahead > 0 then
          a, b, c = l.window, 0, ahead == 1 and b or 0
        end
        local free = l.capacity - b - cost
        fits = free >= 0 and c <= l.capacity + l.debt and c * (l.n - (l.ticks - a * l.n)) <= free * l.n
        if c > l.capacity + l.debt then
          outcome = 2
        end
      end
      charge.a, charge.b, charge.c, charge.fits = a, b, c, fits
      if not fits then
        exceeded = exceeded + bit
        if i <= enforced and outcome == 1 then
          outcome = 0
        end
      end
      bit = bit * 2
    end
  end

  local size = #answer
  answer[size + 1] = outcome
  if outcome < 2 then
    answer[size + 2] = exceeded
    for i = 1, count do
      local charge = charges[i]
      local l = charge.limit
      local a, b, c = charge.a, charge.b, charge.c
      if outcome == 1 and peek == 0 and charge.fits and charge.cost > 0 then
        local k = charge.k
        if l.kind == 0 then
          if a < l.ticks then
            a, b = l.ticks, 0
          end
          local amount = charge.cost * l.p
          a, b = a + floor(amount / l.n), b + amount % l.n
          if b >= l.n then
            a, b = a + 1, b - l.n
          end
        else
          b = b + charge.cost
        end
        as[k], bs[k], cs[k], changed[k] = a, b, c, l
      end
      local at = #answer
      answer[at + 1], answer[at + 2] = a, b
      if l.kind == 2 then
        answer[at + 3] = c
      end
    end
  end
end

for k, l in pairs(changed) do
  local a, b, c = as[k], bs[k], cs[k]
  local idle
  if l.kind == 0 then
    idle = (b == 0 and a or a + 1) * l.tick
  elseif l.kind == 1 then
    idle = a + l.n
  else
    idle = (a + 2) * l.n * l.tick
  end
  local rest = b == 0 and c == 0 and pack('>I7', a) or pack('>I7I7I7', a, b, c)
  redis.call('SET', KEYS[k], l.numbers .. rest, 'PX', floor((idle - now) / 1000) + 1 + SPARE_MS)
end
return answer
