/// Whether one promised figure was reached.
package struct Verdict: Equatable, Sendable {
    /// What was promised, in words.
    package let target: String
    /// What was measured, in words.
    package let measured: String
    package let passed: Bool

    package init(_ target: String, measured: String, passed: Bool) {
        self.target = target
        self.measured = measured
        self.passed = passed
    }

    /// One line: `pass  at least Redis's rate at 16 connections: 1.08 (1.02–1.11)`.
    package var line: String {
        "\(passed ? "pass" : "MISS")  \(target): \(measured)"
    }
}
