-- Corrects earlier charges, unless the server has lost them. ARGV: the server's run_id, and for each quota the name,
-- begin and difference.
if redis.call('HGET', KEYS[1], 'run') ~= ARGV[1] then return 0 end
for i = 2, #ARGV, 3 do
  local field = 'q:' .. ARGV[i]
  local start, used = string.match(redis.call('HGET', KEYS[1], field) or '', '^(%d+) (%d+)$')
  if start == ARGV[i + 1] then
    used = string.format('%.0f', math.max(tonumber(used) + tonumber(ARGV[i + 2]), 0))
    redis.call('HSET', KEYS[1], field, start .. ' ' .. used)
  end
end
return 1
