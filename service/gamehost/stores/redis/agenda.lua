-- What has to be looked at, and when. A game that somebody sees to stands at the moment its lease ends.
-- KEYS: due, leases. ARGV: what to do, and:
--   schedule game at | due now limit until lease | settle game lease at ('' to take it off)
local task = ARGV[1]

if task == 'schedule' then
  redis.call('ZADD', KEYS[1], 'LT', ARGV[3], ARGV[2])
  return redis.call('HDEL', KEYS[2], ARGV[2])
end

if task == 'due' then
  local found = redis.call('ZRANGE', KEYS[1], '-inf', ARGV[2], 'BYSCORE', 'LIMIT', 0, ARGV[3], 'WITHSCORES')
  for i = 1, #found, 2 do
    redis.call('ZADD', KEYS[1], ARGV[4], found[i])
    redis.call('HSET', KEYS[2], found[i], ARGV[5])
  end
  return found
end

if redis.call('HGET', KEYS[2], ARGV[2]) ~= ARGV[3] then return 0 end
redis.call('HDEL', KEYS[2], ARGV[2])
if ARGV[4] == '' then
  redis.call('ZREM', KEYS[1], ARGV[2])
else
  redis.call('ZADD', KEYS[1], ARGV[4], ARGV[2])
end
return 1
