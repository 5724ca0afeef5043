-- Removes a game that was archived, unless its version has changed since.
-- KEYS: events, then all other keys of the game. ARGV: the version that was archived.
local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if not newest or string.match(newest[1], '^%d+') ~= ARGV[1] then return 0 end
redis.call('UNLINK', unpack(KEYS))
return 1
