-- Appends events to one game, all or none.
-- KEYS: events, requests, seed, summary.
-- ARGV: expected version, request id, fingerprint, channel, then after, summary and seed, each with whether it is
-- given before it, payloads...
-- The reads below also raise WRONGTYPE on a damaged key, before anything is written.
local known = redis.call('HGET', KEYS[2], ARGV[2])
local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local version = newest and tonumber(string.match(newest[1], '^%d+')) or 0

if known then
  local first, last, fingerprint = string.match(known, '^(%d+) (%d+) (.*)$')
  if fingerprint ~= ARGV[3] then return {'reused'} end
  -- Valkey's WAIT counts only what its own connection wrote: without a write, a repeated
  -- request would count as replicated although the first one may not be.
  redis.call('HSET', KEYS[2], ARGV[2], known)
  return {'repeated', tonumber(first), tonumber(last)}
end

local expected = tonumber(ARGV[1])
if version ~= expected then return {'stale', version} end
-- The same number is not the same event where a failover has lost one.
if ARGV[5] == '1' and newest[2][2] ~= ARGV[6] then return {'stale', version} end

for i = 11, #ARGV do
  version = version + 1
  redis.call('XADD', KEYS[1], version .. '-0', 'p', ARGV[i])
end
redis.call('HSET', KEYS[2], ARGV[2], (expected + 1) .. ' ' .. version .. ' ' .. ARGV[3])
if ARGV[7] == '1' then redis.call('SET', KEYS[4], ARGV[8]) end
if ARGV[9] == '1' then redis.call('SET', KEYS[3], ARGV[10], 'NX') end
-- A wake-up that cannot be sent (old server, no permission) must not undo the append: watchers also poll.
redis.pcall('SPUBLISH', ARGV[4], version)
return {'appended', expected + 1, version}
