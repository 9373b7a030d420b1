-- Makes a claim last longer. KEYS: the hosts of a page. ARGV: milliseconds.
return redis.call('PEXPIRE', KEYS[1], ARGV[1])
