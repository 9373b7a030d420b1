// The room Sandbox.
