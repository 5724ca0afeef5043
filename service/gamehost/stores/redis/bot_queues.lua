-- Games that wait for a bot to move, and which of them is next. The queues are fair between payers: the payer that
-- has used the least thinking time is served first.
-- As in schedule.lua, a game with a lease has the time at which the lease expires as its score in `due`. A game that
-- is due is put into the queue of its payer, and its score in `due` becomes the time of a recheck that enqueues it
-- again: a queue that was lost, for example in a failover, is rebuilt from `due`.
-- KEYS: due (games by time), leases (lease by game), lanes (queue key by game), waiting (counts for metrics), turns.
-- The keys of the queues begin with the last one:
--   turns:QUEUE:BACKGROUND        payers with waiting games, by their turn (see `pick`)
--   turns:QUEUE:BACKGROUND:PAYER  the waiting games of a payer, by the time at which they became due
--   turns:used                    thinking time used, by payer: as a time, now + what is not yet paid off
-- `used` is a time so that it decays by itself: a payer whose `used` is in the past owes nothing.
-- ARGV: the task and its arguments:
--   schedule game at queue_key ('' to keep the current one)
--   take now until lease burst horizon limited_horizon recheck batch weight, then for each queue: its name, the
--     number of games to take, the estimated cost of each
--   renew game lease until
--   settle game lease at ('' to remove the game) queue_key ('' to keep the current one) charge account
-- Uses only the commands listed in permissions.py, which restricted users may run.
local task = ARGV[1]
local DUE, LEASES, QUEUE_KEYS, WAITING, QUEUES = unpack(KEYS)
local USED = QUEUES .. ':used'
local UNKNOWN = 'long 0  '
local PAID_OFF = 600 * 1000000 -- microseconds; no bot thinks for so long

-- A queue key is the text form of `BotQueueKey`: 'QUEUE BACKGROUND PAYER LEVEL'.
local function parse(queue_key)
  return string.match(queue_key or UNKNOWN, '^(%S*) (%d) (%S*) (%S*)$')
end

local function count(queue, background, level, change)
  local name = queue .. ' ' .. background .. ' ' .. level
  local number = (tonumber(redis.call('HGET', WAITING, name)) or 0) + change
  if number > 0 then
    redis.call('HSET', WAITING, name, number)
  else
    redis.call('HDEL', WAITING, name)
  end
end

local function used(background, payer)
  return tonumber(redis.call('ZSCORE', USED, background .. ':' .. payer)) or 0
end

-- The horizon limits how long a payer can be kept waiting for what it has used. Beyond it a turn still adds 1, so that
-- payers at the horizon keep alternating instead of one of them always being first.
local function charge(background, payer, now, cost, horizon)
  local before = used(background, payer)
  local total = math.min(math.max(before, now) + cost, math.max(before + 1, now + horizon))
  redis.call('ZADD', USED, total, background .. ':' .. payer)
end

local function dequeue(game, queue_key)
  local queue, background, payer, level = parse(queue_key)
  local games = QUEUES .. ':' .. queue .. ':' .. background .. ':' .. payer
  if redis.call('ZREM', games, game) == 1 then count(queue, background, level, -1) end
end

local function assign(game, queue_key)
  if queue_key == '' then return end
  local current = redis.call('HGET', QUEUE_KEYS, game)
  if current ~= queue_key then
    dequeue(game, current)
    redis.call('HSET', QUEUE_KEYS, game, queue_key)
  end
end

-- Moves at most `batch` due games into the queues of their payers.
local function enqueue_due(now, recheck, batch)
  local found = redis.call('ZRANGE', DUE, '-inf', now, 'BYSCORE', 'LIMIT', 0, batch, 'WITHSCORES')
  for i = 1, #found, 2 do
    local queue, background, payer, level = parse(redis.call('HGET', QUEUE_KEYS, found[i]))
    local payers = QUEUES .. ':' .. queue .. ':' .. background
    -- NX: a game that a recheck brings here again keeps its place.
    if redis.call('ZADD', payers .. ':' .. payer, 'NX', found[i + 1], found[i]) == 1 then
      count(queue, background, level, 1)
    end
    redis.call('ZADD', payers, 'NX', math.max(now, used(background, payer)), payer)
    redis.call('ZADD', DUE, now + recheck, found[i])
    -- The lease has expired; its holder must not settle a game that another worker may take now.
    redis.call('HDEL', LEASES, found[i])
  end
end

-- Returns the next game of a queue, the time at which it became due, and its payer; nothing if there is none.
-- A payer's turn is the later of its arrival and its `used`. The stored turn can be too early, because `used` grows
-- when a turn is taken in another queue or a game is settled; it is corrected when the payer comes first.
local function pick(queue, background, now, burst)
  local payers = QUEUES .. ':' .. queue .. ':' .. background
  while true do
    local first = redis.call('ZRANGE', payers, 0, 0, 'WITHSCORES')
    local payer = first[1]
    if not payer then return end
    local spent = used(background, payer)
    if spent > tonumber(first[2]) then
      redis.call('ZADD', payers, spent, payer)
    elseif background == '1' and burst > 0 and spent > now + burst then
      return -- the first payer is over the limit, and the others have used even more
    else
      local game = redis.call('ZRANGE', payers .. ':' .. payer, 0, 0, 'WITHSCORES')
      if game[1] then return game[1], game[2], payer end
      redis.call('ZREM', payers, payer)
    end
  end
end

if task == 'schedule' then
  assign(ARGV[2], ARGV[4])
  -- The score of a game with a lease is the time at which the lease expires, which is no reason to be early: a bot
  -- that has just moved must not be asked again before its time to think is over.
  if redis.call('HDEL', LEASES, ARGV[2]) == 1 then
    return redis.call('ZADD', DUE, ARGV[3], ARGV[2])
  end
  return redis.call('ZADD', DUE, 'LT', ARGV[3], ARGV[2])
end

if task == 'renew' then
  if redis.call('HGET', LEASES, ARGV[2]) ~= ARGV[3] then return 0 end
  redis.call('ZADD', DUE, ARGV[4], ARGV[2])
  return 1
end

if task == 'settle' then
  -- Charged before the lease is checked: the bot's own move schedules the game again, which ends the lease, and the
  -- thinking time was used all the same.
  local spent = tonumber(redis.call('ZSCORE', USED, ARGV[7]))
  if spent then redis.call('ZADD', USED, spent + tonumber(ARGV[6]), ARGV[7]) end
  if redis.call('HGET', LEASES, ARGV[2]) ~= ARGV[3] then return 0 end
  redis.call('HDEL', LEASES, ARGV[2])
  if ARGV[4] == '' then
    redis.call('HDEL', QUEUE_KEYS, ARGV[2])
    redis.call('ZREM', DUE, ARGV[2])
  else
    assign(ARGV[2], ARGV[5])
    redis.call('ZADD', DUE, ARGV[4], ARGV[2])
  end
  return 1
end

-- take
local now, burst, weight = tonumber(ARGV[2]), tonumber(ARGV[5]), tonumber(ARGV[10])
enqueue_due(now, tonumber(ARGV[8]), ARGV[9])
local taken = {}
for i = 11, #ARGV, 3 do
  local queue, room, cost = ARGV[i], tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2])
  -- Games in the background get the room that the others leave.
  for _, background in ipairs({'0', '1'}) do
    local limited = background == '1' and burst > 0
    while room > 0 do
      local game, at, payer = pick(queue, background, now, burst)
      if not game then break end
      local queue_key = redis.call('HGET', QUEUE_KEYS, game) or UNKNOWN
      local _, _, _, level = parse(queue_key)
      local payers = QUEUES .. ':' .. queue .. ':' .. background
      redis.call('ZADD', payers, now, payer) -- behind the payers that arrived before this turn
      redis.call('ZREM', payers .. ':' .. payer, game)
      count(queue, background, level, -1)
      redis.call('ZADD', DUE, ARGV[3], game)
      redis.call('HSET', LEASES, game, ARGV[4])
      charge(background, payer, now, background == '1' and math.floor(cost * weight) or cost,
        limited and tonumber(ARGV[7]) or tonumber(ARGV[6]))
      taken[#taken + 1] = game
      taken[#taken + 1] = at
      taken[#taken + 1] = queue_key
      room = room - 1
    end
  end
end
-- Remove accounts that were paid off long ago; a missing account counts the same as one in the past. Not sooner: a
-- game that was taken is charged for the rest of its thinking when it is settled, which needs the account.
for _, account in ipairs(redis.call('ZRANGE', USED, '-inf', now - PAID_OFF, 'BYSCORE', 'LIMIT', 0, 100)) do
  redis.call('ZREM', USED, account)
end
return {taken, redis.call('HGETALL', WAITING)}
