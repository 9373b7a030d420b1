// The room Client.
