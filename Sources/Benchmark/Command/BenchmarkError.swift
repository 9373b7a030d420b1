/// Why the benchmark failed.
package struct BenchmarkError: Error {
    package let message: String
    /// What the caller can do, if anything.
    package let hint: String?
    /// Whether the command line is wrong.
    package let isUsage: Bool

    package init(_ message: String, hint: String? = nil, isUsage: Bool = false) {
        (self.message, self.hint, self.isUsage) = (message, hint, isUsage)
    }
}
