-- Removes a game that has been put away elsewhere, unless something was appended since.
-- KEYS: events, and all else that is kept of it. ARGV: the version that was put away.
local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if not newest or string.match(newest[1], '^%d+') ~= ARGV[1] then return 0 end
redis.call('UNLINK', unpack(KEYS))
return 1
