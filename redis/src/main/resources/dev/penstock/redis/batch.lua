-- Decides many requests in one go, each for itself and all or nothing; later ones see what earlier ones took.
--
-- The short way, for what nearly all requests are: token buckets and windows of one length, nothing held, no id, each
-- account once in a request. What turns out to be more (other numbers, holds, a clock that went back) is answered 2 and
-- changes nothing here: it is asked again the long way. The arithmetic is that of rules.lua, written out.
--
-- KEYS  the states, each once
-- ARGV  one text of numbers: counts of limits, of sorts of charges, and of charges; per limit its kind (0 bucket, 1 fixed,
--       2 sliding), tick, capacity, debt, n or the window, p, ceiling, its mark (0: none), and how a state begins that was
--       written under it; per sort its signs (1 enforced, 2 only peek, 4 the last of its request, 8 on a key that others
--       are on too), its limit, from 1, and its cost; per charge its sort and its key, from 1. Of a request, the enforced
--       charges come first.
-- Answers one text of numbers: the time; per charge what became of its request (0 denied, 1 allowed, 2 the long way, 3 a
--       key that is no state of ours) and 4 more if the charge itself exceeded; a; and b and c, but not where all
--       limits are buckets whose rate has no rest, of which there never is any

local floor, spread, pack, unpack, rep, format = math.floor, unpack, struct.pack, struct.unpack, string.rep, string.format
local call = redis.call
local limitCount, sortCount, chargeCount, position = unpack('>I2I2I2', ARGV[1])
local limits, narrow = {}, true
for i = 1, limitCount do
  local kind, tick, capacity, debt, n, p, ceiling, mark, head
  kind, tick, capacity, debt, n, p, ceiling, mark, head, position = unpack('>BI4I7I7I7I7I7I2Bc0', ARGV[1], position)
  narrow = narrow and kind == 0 and n == 1
  local l = {kind = kind, tick = tick, capacity = capacity, debt = debt, n = n, p = p, ceiling = ceiling, mark = mark,
    sign = format('%d', mark), base = markedBase(tick), head = head, length = #head, ticks = floor(now / tick), step = 0}
  if kind == 0 then
    l.step = keyStep(l)
  end
  limits[i] = l
end
local sorts = {}
for i = 1, sortCount do
  local signs, limit, cost
  signs, limit, cost, position = unpack('>BI2I7', ARGV[1], position)
  local l = limits[limit]
  local amount = cost * l.p
  sorts[i] = {isEnforced = signs % 2 == 1, isLast = signs % 8 >= 4, isShared = signs >= 8, limit = l, cost = cost,
    isTaken = cost > 0 and signs % 4 < 2, room = l.capacity * l.p - amount, ticks = floor(amount / l.n), rest = amount % l.n}
end
local charges = {unpack('>' .. rep('I2I2', chargeCount), ARGV[1], position)}

-- Writes a state. When its key goes is only moved where it has to be: a bucket's in steps, a window's when it is a new one.
-- before is its time when it was read, and rest its rest then, if it was written in short.
local delta, text -- as a text of our own: some versions of Redis write a hundred million as 1e+8
local function write(key, isNew, l, a, b, c, before, rest)
  local goes, went
  if l.kind == 0 then
    goes, went = (a + 1) * l.tick, (before + 1) * l.tick
    goes, went = goes - goes % l.step, went - went % l.step
    if goes == went and rest == b and a - l.base < MARKED_ROOM then
      if a - before ~= delta then
        delta = a - before
        text = format('%d', delta)
      end
      call('INCRBY', key, text)
      return
    end
    goes, went = goes + l.step, went + l.step
  elseif l.kind == 1 then
    goes, went = a + l.n, before + l.n
  else
    goes, went = (a + 2) * l.n * l.tick, (before + 2) * l.n * l.tick
  end
  local state = l.mark > 0 and marked(l.mark + b, a - l.base)
    or l.head .. (b == 0 and c == 0 and pack('>I7', a) or pack('>I7I7I7', a, b, c))
  if goes == went and not isNew then
    call('SET', key, state, 'KEEPTTL')
  else
    call('SET', key, state, 'PX', format('%d', floor((goes - now) / 1000) + 1 + SPARE_MS))
  end
end

local states = call('MGET', spread(KEYS))
local width = narrow and 2 or 4
local was = {} -- per key, its rest when it was read, if it was written in short
local last, old = {}, {} -- per key of several charges, the latest: the state after it lies in the answer; and its time when read
local answer = {now}
local first, outcome = 1, 1
for i = 1, chargeCount do
  local sort, k, place = sorts[charges[2 * i - 1]], charges[2 * i], width * i - width + 2
  local l, cost, state, before = sort.limit, sort.cost, states[k], last[k]
  local exceeded, a, b, c, sign, time = 0, 0, 0, 0
  if state and #state == 19 then
    sign, time = unpack('c4c15', state)
  end
  if before then
    local there = width * before - width + 2
    a = answer[there + 1]
    if not narrow then
      b, c = answer[there + 2], answer[there + 3]
    end
    if sorts[charges[2 * before - 1]].limit ~= l then
      outcome = 2
    end
  elseif sign and (sign == l.sign or isMarked(state)) then
    local rest = sign == l.sign and 0 or (tonumber(sign) or 0) - l.mark
    time = tonumber(time)
    if not time or rest < 0 or rest >= l.n or l.mark == 0 then
      outcome = 2
    else
      a, b = time + l.base, rest
      was[k] = rest
    end
  elseif state then
    if state:sub(1, l.length) ~= l.head then
      outcome = 2
    elseif #state == l.length + 7 then
      a = unpack('>I7', state, l.length + 1)
    elseif #state == l.length + 21 then
      a, b, c = unpack('>I7I7I7', state, l.length + 1)
    else
      outcome = 3 -- cut short: an error here would be that of all who travel together
    end
  elseif call('EXISTS', KEYS[k]) == 1 then -- MGET is silent about other types, and SET would overwrite them
    outcome = 3
  end
  if outcome < 2 then
    local fits
    if l.kind == 0 then
      local whole = a - l.ticks
      local backlog = whole < 0 and 0 or whole * l.n + b
      if backlog > l.ceiling then
        outcome = 2
      end
      fits = backlog <= sort.room
    elseif l.kind == 1 then
      local start = now - now % l.n
      if a > start then
        outcome = 2
      elseif a < start then
        a, b = start, 0
      end
      fits = b + cost <= l.capacity
    else
      local window = floor(l.ticks / l.n)
      local ahead = window - a
      if ahead < 0 or c > l.capacity + l.debt then
        outcome = 2
      elseif ahead > 0 then
        a, b, c = window, 0, ahead == 1 and b or 0
      end
      local free = l.capacity - b - cost
      fits = free >= 0 and c * (l.n - (l.ticks - a * l.n)) <= free * l.n
    end
    if sort.isShared and outcome < 2 then
      last[k] = i
    end
    if not fits then
      exceeded = 4
      if outcome == 1 and sort.isEnforced then
        outcome = 0
      end
    end
  end
  answer[place], answer[place + 1] = exceeded, a
  if not narrow then
    answer[place + 2], answer[place + 3] = b, c
  end

  if sort.isLast then
    for each = i, first, -1 do
      if each < i then
        sort, k, place = sorts[charges[2 * each - 1]], charges[2 * each], width * each - width + 2
        l, cost, exceeded = sort.limit, sort.cost, answer[place]
      end
      answer[place] = exceeded + outcome
      if exceeded + outcome == 1 and sort.isTaken then
        a, b, c = answer[place + 1], 0, 0
        if not narrow then
          b, c = answer[place + 2], answer[place + 3]
        end
        before = a
        if l.kind == 0 then
          if a < l.ticks then
            a, b = l.ticks, 0
          end
          a, b = a + sort.ticks, b + sort.rest
          if b >= l.n then
            a, b = a + 1, b - l.n
          end
          answer[place + 1] = a
        else
          before = b > 0 and a or -1
          b = b + cost
        end
        if not narrow then
          answer[place + 2] = b
        end
        if sort.isShared then
          old[k] = old[k] or before
        else
          write(KEYS[k], not states[k], l, a, b, c, before, was[k])
        end
      end
    end
    first, outcome = i + 1, 1
  end
end

for k, before in pairs(old) do
  local place, b, c = width * last[k] - width + 2, 0, 0
  if not narrow then
    b, c = answer[place + 2], answer[place + 3]
  end
  write(KEYS[k], not states[k], sorts[charges[2 * last[k] - 1]].limit, answer[place + 1], b, c, before, was[k])
end
return pack('>I7' .. rep(narrow and 'BI7' or 'BI7I7I7', chargeCount), spread(answer))
