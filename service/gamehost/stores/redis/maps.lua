-- Changes a map and its ranking, if every expected field has the expected value.
-- KEYS: fields (hash), ranks (zset).
-- ARGV: seconds until the map expires ('' for never); then five lists, each with the number of its entries first:
-- expected fields (field, '1' if it must be there, value), fields to put (field, value), fields to remove,
-- members to rank (member, score), members to remove from the ranking.
-- Returns 1 if the change was made, 0 if not.
local at = 2

local function each(width, visit)
  local count = tonumber(ARGV[at])
  at = at + 1
  for _ = 1, count do
    visit(at)
    at = at + width
  end
end

local fits = true
each(3, function(i)
  local found = redis.call('HGET', KEYS[1], ARGV[i])
  fits = fits and (ARGV[i + 1] == '1' and found == ARGV[i + 2] or ARGV[i + 1] == '0' and not found)
end)
if not fits then return 0 end
each(2, function(i) redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end)
each(1, function(i) redis.call('HDEL', KEYS[1], ARGV[i]) end)
each(2, function(i) redis.call('ZADD', KEYS[2], ARGV[i + 1], ARGV[i]) end)
each(1, function(i) redis.call('ZREM', KEYS[2], ARGV[i]) end)
if ARGV[1] ~= '' then
  for _, key in ipairs(KEYS) do redis.call('EXPIRE', key, ARGV[1]) end
end
return 1
