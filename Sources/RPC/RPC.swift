// The room RPC.
