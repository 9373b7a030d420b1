-- Begins an epoch when the account is unknown to this run of the engine: nothing is granted for two seconds.
--
-- Comes before the scripts that charge and report. KEYS: the account. ARGV: the run, the channel for notices.
--
-- An account is a hash: `run` is the run of the engine that began its epoch, `ready` the end of the grace period, `q:NAME`
-- the begin and the usage of a quota's window, `r:OWNER` the theoretical arrival time of a rate, and `p:OWNER` and
-- `b:SOURCE` the end of a pause and of an open breaker. Times are microseconds of the engine's clock.
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
