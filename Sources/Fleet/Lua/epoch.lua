-- If the server has restarted or lost the account, begins an epoch: for two seconds, no call is granted.
--
-- The server runs this text before charge.lua and report.lua. KEYS: the account. ARGV: the server's current run_id, and
-- the channel for notices.
--
-- An account is a hash. `run` is the run_id at the start of the epoch, and `ready` is the end of the two seconds.
-- `q:NAME` is the begin of a quota's window and its usage. `r:OWNER` is the theoretical arrival time of a rate.
-- `p:OWNER` is the end of a pause, and `b:SOURCE` the end of an open breaker. Times are microseconds of the server's
-- clock.
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
