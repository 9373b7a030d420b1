#if canImport(Glibc)
    import Glibc
#endif

/// The seed that the caller of the tests set, if any.
func environmentSeed() -> UInt64? {
    environment("SEARCHD_TEST_SEED").flatMap { UInt64($0) }
}

/// How many events a property is to be tried on: `SEARCHD_TEST_EVENTS`, else what takes no long time.
package func testEvents(_ usual: Int) -> Int { testSize(usual, "SEARCHD_TEST_EVENTS") }

/// How large a random test is to be: as usual, or what the caller of the tests set in a variable for a longer proof.
package func testSize(_ usual: Int, _ variable: String) -> Int {
    environment(variable).flatMap { Int($0) } ?? usual
}

private func environment(_ name: String) -> String? {
    // The environment is read before any test changes it; the C string is copied at once.
    guard let text = unsafe getenv(name) else { return nil }
    return unsafe String(cString: text)
}
