-- Values that no Penstock of a known format wrote.

-- Fails the script because of what a key holds. Nodes go by the first word, the code of the error (KeyErrors.java). To
-- be called before the first write: Lua does not roll back.
local function refuse(key)
  error({err = 'FOREIGNVALUE ' .. key .. ' was not written by a version of Penstock that this one can read'})
end

-- What cmsgpack packed, where the value may be foreign.
local function unpackOrRefuse(key, text, ...)
  local unpacked = {pcall(cmsgpack.unpack, text, ...)}
  if not unpacked[1] then
    refuse(key)
  end
  return unpack(unpacked, 2, table.maxn(unpacked))
end
