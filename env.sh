export HOME=/tmp/h/home XDG_RUNTIME_DIR=/tmp/h/run XDG_STATE_HOME=/tmp/h/state XDG_CACHE_HOME=/tmp/h/cache XDG_CONFIG_HOME=/tmp/h/config
mkdir -p $HOME $XDG_RUNTIME_DIR $XDG_STATE_HOME $XDG_CACHE_HOME $XDG_CONFIG_HOME; chmod 700 $XDG_RUNTIME_DIR
B=/work/main/.build/debug; export PATH=$B:$PATH
