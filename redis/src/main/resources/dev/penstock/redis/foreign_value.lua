-- Values that no known version of Penstock wrote.

-- Fails the script because of the value of a key. Nodes recognize the failure by the first word, the code of the error
-- (KeyErrors.java). Must be called before the first write, because Lua does not roll back.
local function refuse(key)
  error({err = 'FOREIGNVALUE ' .. key .. ' was not written by a version of Penstock that this one can read'})
end

-- Unpacks a value with cmsgpack, and rejects it if it is foreign.
local function unpackOrRefuse(key, text, ...)
  local unpacked = {pcall(cmsgpack.unpack, text, ...)}
  if not unpacked[1] then
    refuse(key)
  end
  return unpack(unpacked, 2, table.maxn(unpacked))
end
