-- A schedule: games with the time at which a worker has to look at each of them.
-- While a worker holds a lease on a game, the score of the game is the time at which the lease expires, so a game
-- whose worker died becomes due again.
-- KEYS: due (games by time), leases (lease by game). ARGV: the task and its arguments:
--   schedule game at | due now limit until lease | settle game lease at ('' to remove the game)
local task = ARGV[1]

if task == 'schedule' then
  redis.call('ZADD', KEYS[1], 'LT', ARGV[3], ARGV[2])
  -- Without its lease the current worker cannot settle the game. Otherwise it would overwrite this time although it
  -- looked at the game before the change for which it was scheduled again.
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

-- settle
if redis.call('HGET', KEYS[2], ARGV[2]) ~= ARGV[3] then return 0 end
redis.call('HDEL', KEYS[2], ARGV[2])
if ARGV[4] == '' then
  redis.call('ZREM', KEYS[1], ARGV[2])
else
  redis.call('ZADD', KEYS[1], ARGV[4], ARGV[2])
end
return 1
