-- Games that wait for a bot, and whose turn it is. As in agenda.lua, a game that somebody sees to stands in
-- `due` at the moment its lease ends. A game whose moment has come waits in a lane, and stands in `due` at a
-- moment when it is moved there again, so that it comes up even if its lane is lost.
-- KEYS: due, leases, lanes (of games), waiting (numbers), turns. Keys that begin with the last one:
--   turns:QUEUE:BACKGROUND        payers with games that wait, by what they have used
--   turns:QUEUE:BACKGROUND:PAYER  those games, by their moment
--   turns:used                    by payer, the moment up to which the time it has used would have lasted
-- ARGV: what to do, and:
--   schedule game at lane ('' to leave it)
--   take now until lease burst horizon limited_horizon recheck at_once weight, then for each queue: its name,
--     the most games to take, what each costs
--   renew game lease until
--   settle game lease at ('' to take it off) lane ('' to leave it) charge payer (with its background)
-- Only commands that the users of a restricted server may run.
local task = ARGV[1]
local DUE, LEASES, LANES, WAITING, TURNS = unpack(KEYS)
local USED = TURNS .. ':used'
local UNKNOWN = 'long 0  '

local function parts(lane)
  return string.match(lane or UNKNOWN, '^(%S*) (%d) (%S*) (%S*)$')
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

-- Beyond the horizon each turn still counts a little, so that payers who have come so far take turns, too.
local function charge(background, payer, now, cost, horizon)
  local before = used(background, payer)
  local total = math.min(math.max(before, now) + cost, math.max(before + 1, now + horizon))
  redis.call('ZADD', USED, total, background .. ':' .. payer)
end

local function withdraw(game, lane)
  local queue, background, payer, level = parts(lane)
  local games = TURNS .. ':' .. queue .. ':' .. background .. ':' .. payer
  if redis.call('ZREM', games, game) == 1 then count(queue, background, level, -1) end
end

local function assign(game, lane)
  if lane == '' then return end
  local known = redis.call('HGET', LANES, game)
  if known ~= lane then
    withdraw(game, known)
    redis.call('HSET', LANES, game, lane)
  end
end

local function line_up(now, recheck, at_once)
  local found = redis.call('ZRANGE', DUE, '-inf', now, 'BYSCORE', 'LIMIT', 0, at_once, 'WITHSCORES')
  for i = 1, #found, 2 do
    local queue, background, payer, level = parts(redis.call('HGET', LANES, found[i]))
    local turns = TURNS .. ':' .. queue .. ':' .. background
    if redis.call('ZADD', turns .. ':' .. payer, 'NX', found[i + 1], found[i]) == 1 then
      count(queue, background, level, 1)
    end
    redis.call('ZADD', turns, 'NX', math.max(now, used(background, payer)), payer)
    redis.call('ZADD', DUE, now + recheck, found[i])
    redis.call('HDEL', LEASES, found[i])
  end
end

-- The next game of a queue and its payer, or nothing.
local function pick(queue, background, now, burst)
  local turns = TURNS .. ':' .. queue .. ':' .. background
  while true do
    local first = redis.call('ZRANGE', turns, 0, 0, 'WITHSCORES')
    local payer = first[1]
    if not payer then return end
    local spent = used(background, payer)
    if spent > tonumber(first[2]) then
      redis.call('ZADD', turns, spent, payer)
    elseif background == '1' and burst > 0 and spent > now + burst then
      return
    else
      local game = redis.call('ZRANGE', turns .. ':' .. payer, 0, 0, 'WITHSCORES')
      if game[1] then return game[1], game[2], payer end
      redis.call('ZREM', turns, payer)
    end
  end
end

if task == 'schedule' then
  assign(ARGV[2], ARGV[4])
  redis.call('ZADD', DUE, 'LT', ARGV[3], ARGV[2])
  return redis.call('HDEL', LEASES, ARGV[2])
end

if task == 'renew' then
  if redis.call('HGET', LEASES, ARGV[2]) ~= ARGV[3] then return 0 end
  redis.call('ZADD', DUE, ARGV[4], ARGV[2])
  return 1
end

if task == 'settle' then
  -- What was thought is paid for also when the game was scheduled meanwhile: a bot's own move does that.
  local spent = tonumber(redis.call('ZSCORE', USED, ARGV[7]))
  if spent then redis.call('ZADD', USED, spent + tonumber(ARGV[6]), ARGV[7]) end
  if redis.call('HGET', LEASES, ARGV[2]) ~= ARGV[3] then return 0 end
  redis.call('HDEL', LEASES, ARGV[2])
  if ARGV[4] == '' then
    redis.call('HDEL', LANES, ARGV[2])
    redis.call('ZREM', DUE, ARGV[2])
  else
    assign(ARGV[2], ARGV[5])
    redis.call('ZADD', DUE, ARGV[4], ARGV[2])
  end
  return 1
end

local now, burst, weight = tonumber(ARGV[2]), tonumber(ARGV[5]), tonumber(ARGV[10])
line_up(now, tonumber(ARGV[8]), ARGV[9])
local taken = {}
for i = 11, #ARGV, 3 do
  local queue, room, cost = ARGV[i], tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2])
  for _, background in ipairs({'0', '1'}) do
    local limited = background == '1' and burst > 0
    while room > 0 do
      local game, at, payer = pick(queue, background, now, burst)
      if not game then break end
      local lane = redis.call('HGET', LANES, game) or UNKNOWN
      local _, _, _, level = parts(lane)
      local turns = TURNS .. ':' .. queue .. ':' .. background
      redis.call('ZADD', turns, now, payer) -- behind those who came before this turn
      redis.call('ZREM', turns .. ':' .. payer, game)
      count(queue, background, level, -1)
      redis.call('ZADD', DUE, ARGV[3], game)
      redis.call('HSET', LEASES, game, ARGV[4])
      charge(background, payer, now, background == '1' and math.floor(cost * weight) or cost,
        limited and tonumber(ARGV[7]) or tonumber(ARGV[6]))
      taken[#taken + 1] = game
      taken[#taken + 1] = at
      taken[#taken + 1] = lane
      room = room - 1
    end
  end
end
-- Who has used nothing lately is as good as new.
for _, payer in ipairs(redis.call('ZRANGE', USED, '-inf', now, 'BYSCORE', 'LIMIT', 0, 100)) do
  redis.call('ZREM', USED, payer)
end
return {taken, redis.call('HGETALL', WAITING)}
