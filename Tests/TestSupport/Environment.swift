#if canImport(Glibc)
    import Glibc
#endif

/// The seed that the caller of the tests set, if any.
func environmentSeed() -> UInt64? {
    // The environment is read before any test changes it; the C string is copied at once.
    guard let text = unsafe getenv("SEARCHD_TEST_SEED") else { return nil }
    return unsafe UInt64(String(cString: text))
}
