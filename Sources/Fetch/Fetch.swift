// The room Fetch.
