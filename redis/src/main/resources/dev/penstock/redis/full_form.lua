-- Reads and writes the full form of a state with the first byte 1, see state_format.lua. The functions are created when
-- a script first needs them, because creating one costs Redis about 0.1 us in every call.

local function newFullForm()
  local fullForm = {}

  -- The first bytes of a state that was written under a rule with these numbers.
  function fullForm.head(tick, capacity, debt, n, p, ceiling)
    return FORMAT_PLAIN .. cmsgpack.pack(tick, capacity, debt, n or 0, p or 0, ceiling or 0)
  end

  function fullForm.encode(head, first, second, third)
    if second == 0 and third == 0 then
      return head .. struct.pack('>I7', first)
    end
    return head .. struct.pack('>I7I7I7', first, second, third)
  end

  -- The numbers of a state with this head; nil if the text is truncated.
  function fullForm.decode(text, head)
    local size = #text - #head
    if size == 7 then
      return struct.unpack('>I7', text, #head + 1), 0, 0
    elseif size == 21 then
      return struct.unpack('>I7I7I7', text, #head + 1)
    end
  end

  return fullForm
end
