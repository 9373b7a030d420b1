-- Charges all quotas and rates of a call, or nothing. Returns `ok` with the wait, or why the call was not charged.
--
-- ARGV: the arguments of epoch.lua, the longest wait, and the number of quotas. For each quota: its name, begin, end,
-- cost and limit. For each rate: its owner, interval, burst and calls per minute. KEYS: the account, a list per rate.
if now < ready then return {'grace', ready - now} end
local count = tonumber(ARGV[4])
local first = 5 + count * 5
local rates = (#ARGV - first + 1) / 4
local fields = {}
for i = 0, count - 1 do fields[#fields + 1] = 'q:' .. ARGV[5 + i * 5] end
for i = 0, rates - 1 do
  fields[#fields + 1] = 'p:' .. ARGV[first + i * 4]
  fields[#fields + 1] = 'r:' .. ARGV[first + i * 4]
end
local values = #fields > 0 and redis.call('HMGET', KEYS[1], unpack(fields)) or {}
for i = 0, rates - 1 do
  local pause = values[count + 1 + i * 2]
  local left = pause and tonumber(string.match(pause, '^%d+')) - now or 0
  if left > 0 then return {'pause', ARGV[first + i * 4], left, pause} end
end
local answer, starts, isFull = {'ok', 0}, {}, false
for i = 0, count - 1 do
  local at = 5 + i * 5
  local start, stop = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  if now < start * 1000000 or now >= stop * 1000000 then return {'clock', whole(now)} end
  local known, used = window(values[i + 1])
  if known < start then known, used = start, 0 end
  starts[i] = known
  answer[i + 3] = used
  if used + tonumber(ARGV[at + 3]) > tonumber(ARGV[at + 4]) then isFull = true end
end
if isFull then
  answer[1] = 'full'
  return answer
end
local at = now
for i = 0, rates - 1 do
  local from = first + i * 4
  local interval, burst, minute = tonumber(ARGV[from + 1]), tonumber(ARGV[from + 2]), tonumber(ARGV[from + 3])
  if interval > 0 then
    at = math.max(at, (tonumber(values[count + 2 + i * 2] or 0)) - (burst - 1) * interval)
  end
  if minute > 0 then
    local oldest = redis.call('LINDEX', KEYS[i + 2], minute - 1)
    if oldest then at = math.max(at, tonumber(oldest) + 61200000) end
  end
end
if at - now > tonumber(ARGV[3]) then return {'rate', at - now} end
for i = 0, rates - 1 do
  local from = first + i * 4
  local interval, minute = tonumber(ARGV[from + 1]), tonumber(ARGV[from + 3])
  if interval > 0 then
    local full = math.max(tonumber(values[count + 2 + i * 2] or 0), at) + interval
    redis.call('HSET', KEYS[1], 'r:' .. ARGV[from], whole(full))
  end
  if minute > 0 then
    redis.call('LPUSH', KEYS[i + 2], whole(at))
    redis.call('LTRIM', KEYS[i + 2], 0, minute - 1)
    redis.call('EXPIRE', KEYS[i + 2], 3600)
  end
end
for i = 0, count - 1 do
  local used = answer[i + 3] + tonumber(ARGV[8 + i * 5])
  if answer[i + 3] == 0 then redis.call('EXPIRE', KEYS[1], 3456000) end
  redis.call('HSET', KEYS[1], 'q:' .. ARGV[5 + i * 5], starts[i] .. ' ' .. whole(used))
  answer[i + 3] = used
end
answer[2] = at - now
return answer
