-- Decides many requests in one go, each for itself and all or nothing; later ones see what earlier ones took.
--
-- The short way, for what nearly all requests are: token buckets and windows of one length, nothing held, no id, each
-- account once in a request. What turns out to be more (other numbers, holds, a clock that went back) is answered 2 and
-- changes nothing here: it is asked again the long way. The arithmetic is that of rules.lua, written out.
--
-- KEYS  the states, each once
-- ARGV  one text of numbers: counts of limits, of sorts of charges, and of the numbers at its end; per limit its kind
--       (0 bucket, 1 fixed, 2 sliding), tick, capacity, debt, n or the window, p, ceiling, its mark (0: none), and how a
--       state begins that was written under it; per sort its signs (1 enforced, 2 only peek, 4 the last of its request,
--       8 the only one of its request and on its key), its limit, from 1, and its cost; then per charge its sort and its
--       key, from 1. After one of sign 8 comes how many more of its sort follow, each on the next key. Of a request, the
--       enforced charges come first.
-- Answers one text of numbers: the time; per charge what became of its request (0 denied, 1 allowed, 2 the long way, 3 a
--       key that is no state of ours) and 4 more if the charge itself exceeded; a; and b and c, but not where all
--       limits are buckets whose rate has no rest, of which there never is any
--
-- Without functions of its own: making them takes longer than a charge. Numbers are told to Redis as texts, since some
-- versions of it write a hundred million as 1e+8.

local floor, spread, pack, unpack, rep, format = math.floor, unpack, struct.pack, struct.unpack, string.rep, string.format
local call, try, byte, find, type, KEYS = redis.call, redis.pcall, string.byte, string.find, type, KEYS
local limitCount, sortCount, numberCount, position = unpack('>I2I2I2', ARGV[1])
local limits, narrow = {}, true
for i = 1, limitCount do
  local kind, tick, capacity, debt, n, p, ceiling, mark, head
  kind, tick, capacity, debt, n, p, ceiling, mark, head, position = unpack('>BI4I7I7I7I7I7I2Bc0', ARGV[1], position)
  narrow = narrow and kind == 0 and n == 1
  local base, ticks = markedBase(tick), floor(now / tick)
  local isPlain = kind == 0 and n == 1 and mark > 0 and ticks + capacity * p < base + MARKED_ROOM
  -- letters and zero: its mark and its base, seen from the letters of digits, which begin at 48
  limits[i] = {kind = kind, tick = tick, capacity = capacity, debt = debt, n = n, p = p, ceiling = ceiling, mark = mark,
    head = head, base = base, ticks = ticks, isPlain = isPlain, step = kind == 0 and keyStep(tick, capacity, n, p),
    letters = mark > 0 and mark + 48 * 1111, zero = base - 48 * 111111111111111}
end
local sorts = {}
for i = 1, sortCount do
  local signs, limit, cost
  signs, limit, cost, position = unpack('>BI2I7', ARGV[1], position)
  local l = limits[limit]
  local amount, isTaken, isAlone = cost * l.p, cost > 0 and signs % 4 < 2, signs >= 8
  local isQuick = isAlone and isTaken and l.isPlain
  sorts[i] = {isEnforced = signs % 2 == 1, isLast = signs % 8 >= 4, isAlone = isAlone, isTaken = isTaken, limit = l,
    cost = cost, room = l.capacity * l.p - amount, ticks = floor(amount / l.n), rest = amount % l.n,
    added = isQuick and format('%d', amount), within = isQuick and l.step - amount * l.tick}
end
local numbers = {unpack('>' .. rep('I2', numberCount), ARGV[1], position)}
local states = call('MGET', spread(KEYS))

local width = narrow and 2 or 4
local answer = {now}
local sortOf, keyOf = {}, {} -- per charge
local limitOf, as, bs, cs = {}, {}, {}, {} -- per key, its limit and its state by now
local was, old = {}, {} -- per key, its rest when it was read, if it was written in short; and if it is to be written, its time then
local i, place, at = 0, 2 - width, 1
local first, outcome = 1, 1 -- of the present request, its first charge and what becomes of it
while at < numberCount do
  local sort, from = sorts[numbers[at]], numbers[at + 1]
  local l, isAlone, added, to = sort.limit, sort.isAlone, sort.added, from
  local letters, zero, ticks, tick, step, room, within, more = l.letters, l.zero
  at = at + 2
  if isAlone then
    to, at = from + numbers[at], at + 1
    ticks, tick, step, room, within, more = l.ticks, l.tick, l.step, sort.room, sort.within, sort.ticks
  end
  for k = from, to do
    i, place = i + 1, place + width
    local state, a, b, c = states[k]
    local known = not isAlone and limitOf[k]
    if known then
      a, b, c = as[k], bs[k] or 0, cs[k] or 0
      if known ~= l then
        outcome = 2
      end
    elseif state and #state == 19 then -- in short; by its letters, since tonumber takes as long as all the rest
      local m1, m2, m3, m4, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14, t15 = byte(state, 1, 19)
      if m1 * 1000 + m2 * 100 + m3 * 10 + m4 == letters then
        a = t1 * 1e14 + t2 * 1e13 + t3 * 1e12 + t4 * 1e11 + t5 * 1e10 + t6 * 1e9 + t7 * 1e8 + t8 * 1e7 + t9 * 1e6
          + t10 * 1e5 + t11 * 1e4 + t12 * 1e3 + t13 * 100 + t14 * 10 + t15 + zero
      end
    end
    -- Most of all there is: a plain bucket in use, whose charge fits and leaves its key's time to live as it is.
    if added and a and a >= ticks and a - ticks <= room and (a + 1) * tick % step < within
      and type(try('INCRBY', KEYS[k], added)) == 'number' then
      answer[place], answer[place + 1] = 1, a + more
      if not narrow then
        answer[place + 2], answer[place + 3] = 0, 0
      end
      first = i + 1
    else
      local exceeded = 0
      if a and not known and find(state, '^%d+$') then
        was[k], b, c = 0, 0, 0
      elseif not known then
        a, b, c = 0, 0, 0
        if not state then
          if call('EXISTS', KEYS[k]) == 1 then -- MGET is silent about other types, and SET would overwrite them
            outcome = 3
          end
        elseif isMarked(state) then
          local rest = state:sub(1, 4) - l.mark
          if l.mark == 0 or rest < 0 or rest >= l.n then
            outcome = 2
          else
            a, b, was[k] = state:sub(5) + l.base, rest, rest
          end
        elseif state:sub(1, #l.head) ~= l.head then
          outcome = 2
        elseif #state == #l.head + 7 then
          a = unpack('>I7', state, #l.head + 1)
        elseif #state == #l.head + 21 then
          a, b, c = unpack('>I7I7I7', state, #l.head + 1)
        else
          outcome = 3 -- cut short: an error here would be that of all who travel together
        end
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
          fits = b + sort.cost <= l.capacity
        else
          local window = floor(l.ticks / l.n)
          local ahead = window - a
          if ahead < 0 or c > l.capacity + l.debt then
            outcome = 2
          elseif ahead > 0 then
            a, b, c = window, 0, ahead == 1 and b or 0
          end
          local free = l.capacity - b - sort.cost
          fits = free >= 0 and c * (l.n - (l.ticks - a * l.n)) <= free * l.n
        end
        if outcome < 2 then
          limitOf[k], as[k] = l, a
          if not narrow then
            bs[k], cs[k] = b, c
          end
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
      sortOf[i], keyOf[i] = sort, k

      if sort.isLast then
        local there = place
        for each = i, first, -1 do
          local made = sortOf[each]
          exceeded = answer[there]
          answer[there] = exceeded + outcome
          if exceeded + outcome == 1 and made.isTaken then
            local of, key = made.limit, keyOf[each]
            a, b = as[key], bs[key] or 0
            local before = a
            if of.kind == 0 then
              if a < of.ticks then
                a, b = of.ticks, 0
              end
              a, b = a + made.ticks, b + made.rest
              if b >= of.n then
                a, b = a + 1, b - of.n
              end
              answer[there + 1] = a
            else
              before = b > 0 and a or -1
              b = b + made.cost
            end
            as[key], old[key] = a, old[key] or before
            if not narrow then
              bs[key], answer[there + 2] = b, b
            end
          end
          there = there - width
        end
        first, outcome = i + 1, 1
      end
    end
  end
end

-- When a key goes is only moved where it has to be: a bucket's in steps, a window's when it is a new one.
local texts = {} -- of numbers
for k, before in pairs(old) do
  local l, a, b, c = limitOf[k], as[k], bs[k] or 0, cs[k] or 0
  local isMoved, goes = not states[k]
  if l.kind == 0 then
    local since = (before + 1) * l.tick
    goes = (a + 1) * l.tick
    isMoved = isMoved or since % l.step + goes - since >= l.step
    goes = nextStep(goes, l.step)
  else
    isMoved = isMoved or a ~= before
    goes = l.kind == 1 and a + l.n or (a + 2) * l.n * l.tick
  end
  local life
  if isMoved then
    life = floor((goes - now) / 1000) + 1 + SPARE_MS
    texts[life] = texts[life] or format('%d', life)
  end
  if was[k] == b and a - l.base < MARKED_ROOM then
    local added = a - before
    texts[added] = texts[added] or format('%d', added)
    call('INCRBY', KEYS[k], texts[added])
    if isMoved then
      call('PEXPIRE', KEYS[k], texts[life])
    end
  else
    local state = l.mark > 0 and marked(l.mark + b, a - l.base)
      or l.head .. (b == 0 and c == 0 and pack('>I7', a) or pack('>I7I7I7', a, b, c))
    if isMoved then
      call('SET', KEYS[k], state, 'PX', texts[life])
    else
      call('SET', KEYS[k], state, 'KEEPTTL')
    end
  end
end
return pack('>I7' .. rep(narrow and 'BI7' or 'BI7I7I7', i), spread(answer))
