// The room Daemon.
