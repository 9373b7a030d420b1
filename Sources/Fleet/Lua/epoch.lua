-- If this run of the server does not know the account, begins an epoch: for two seconds, no call is granted.
--
-- It is the first part of charge.lua and report.lua. KEYS: the account. ARGV: the run, the channel for notices.
--
-- An account is a hash. `run` is the run of the server that began the epoch, and `ready` is the end of the two seconds.
-- `q:NAME` is the begin and the usage of a quota's window. `r:OWNER` is the theoretical arrival time of a rate. The
-- ends of a pause and of an open breaker are `p:OWNER` and `b:SOURCE`. Times are microseconds of the server's clock.
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local function whole(number) return string.format('%.0f', number) end
local state = redis.call('HMGET', KEYS[1], 'run', 'ready')
local ready = tonumber(state[2] or 0) or 0
if state[1] ~= ARGV[1] then
  ready = now + 2000000
  redis.call('HSET', KEYS[1], 'run', ARGV[1], 'ready', whole(ready))
  redis.call('EXPIRE', KEYS[1], 3456000)
  redis.call('DEL', KEYS[1] .. ':reported')
  redis.call('PUBLISH', ARGV[2], 'lost ' .. KEYS[1])
end
local function window(text)
  local start, used = string.match(text or '', '^(%d+) (%d+)$')
  return tonumber(start or 0), tonumber(used or 0)
end
