/// The source of randomness of a test: SplitMix64, so that a printed seed replays a failure anywhere.
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

/// The seed of this run: `SEARCHD_TEST_SEED` when set, else a fresh one; printed, so that a failure can be replayed.
package func testSeed(_ test: String = #function) -> UInt64 {
    let seed = environmentSeed() ?? UInt64.random(in: 0...UInt64.max)
    print("seed of \(test): SEARCHD_TEST_SEED=\(seed)")
    return seed
}
