// The room Engine.
