import Glibc

/// The random number generator of tests (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Returns a random seed, or the seed in `SEARCHD_TEST_SEED`, and prints it.
package func testSeed(_ test: String = #function) -> UInt64 {
    let seed = environmentSeed() ?? UInt64.random(in: 0...UInt64.max)
    print("seed of \(test): SEARCHD_TEST_SEED=\(seed)")
    return seed
}

private func environmentSeed() -> UInt64? {
    environment("SEARCHD_TEST_SEED").flatMap { UInt64($0) }
}

package func testEvents(_ usual: Int) -> Int { testSize(usual, "SEARCHD_TEST_EVENTS") }

package func testSize(_ usual: Int, _ variable: String) -> Int {
    environment(variable).flatMap { Int($0) } ?? usual
}

private func environment(_ name: String) -> String? {
    // No test changes the environment at the same time. The C string is copied at once.
    guard let text = unsafe getenv(name) else { return nil }
    return unsafe String(cString: text)
}

package func proved(_ figures: String) {
    print("proved: \(figures)")
}
