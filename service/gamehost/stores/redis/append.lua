-- Writes a move to Redis: appends its events to the log of the game, all or none, with the request id and the summary.
-- KEYS: events, requests, seed, summary.
-- ARGV: expected version, request id, fingerprint, channel; then for each of last event, summary and seed a flag
-- ('1' if given) and the value; then the payloads.
-- Returns {'appended' | 'repeated', first, last}, {'stale', version} or {'reused'}.
-- A script cannot be rolled back. These two reads come first so that a key of the wrong type raises WRONGTYPE before
-- anything is written.
local recorded = redis.call('HGET', KEYS[2], ARGV[2])
local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local version = newest and tonumber(string.match(newest[1], '^%d+')) or 0

-- A repeated request is recognised here, in the same atomic step as the append, and before the version is checked:
-- its own first attempt has moved the version on. With a check outside the script, an attempt that is appended between
-- the check and the append would make its own repetition fail as stale.
if recorded then
  local first, last, fingerprint = string.match(recorded, '^(%d+) (%d+) (.*)$')
  if fingerprint ~= ARGV[3] then return {'reused'} end
  -- Written again only for WAIT: it covers the writes of its own connection alone. Without a write here WAIT would
  -- return at once, and the answer would be sent although the first attempt may not have reached the replicas.
  redis.call('HSET', KEYS[2], ARGV[2], recorded)
  return {'repeated', tonumber(first), tonumber(last)}
end

local expected = tonumber(ARGV[1])
if version ~= expected then return {'stale', version} end
-- A failover can lose the last event, and another one can get its number. Then the version matches, but the caller
-- decided on a history that no longer exists. Only the payload of the last event tells the two apart.
if ARGV[5] == '1' and newest[2][2] ~= ARGV[6] then return {'stale', version} end

for i = 11, #ARGV do
  version = version + 1
  redis.call('XADD', KEYS[1], version .. '-0', 'p', ARGV[i])
end
redis.call('HSET', KEYS[2], ARGV[2], (expected + 1) .. ' ' .. version .. ' ' .. ARGV[3])
if ARGV[7] == '1' then redis.call('SET', KEYS[4], ARGV[8]) end
if ARGV[9] == '1' then redis.call('SET', KEYS[3], ARGV[10], 'NX') end
-- pcall: a notification that fails (old server, missing permission) must not fail the append. Followers also poll.
redis.pcall('SPUBLISH', ARGV[4], version)
return {'appended', expected + 1, version}
