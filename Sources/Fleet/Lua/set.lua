-- Sets the usage of a quota. ARGV: the quota's name, the begin of its window, and the usage.
return redis.call('HSET', KEYS[1], 'q:' .. ARGV[1], ARGV[2] .. ' ' .. ARGV[3])
