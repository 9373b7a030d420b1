package import EventLoop

/// Why the benchmark failed.
package struct BenchmarkError: Error, Equatable, Sendable {
    /// What kind of failure it was.
    package struct Code: Equatable, Sendable {
        package let name: String
        /// The command line is wrong.
        package static let usage = Code(name: "usage")
        /// The system refused something.
        package static let system = Code(name: "system")
        /// A program could not be started, or ended too early.
        package static let program = Code(name: "program")
        /// A peer gave a wrong answer or none.
        package static let answer = Code(name: "answer")
    }

    package let code: Code
    package let message: String
    /// What the caller can do, if anything.
    package let hint: String?

    package init(_ code: Code, _ message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    /// A system call that should have worked.
    package init(_ error: SystemError) {
        self.init(.system, error.description)
    }

    /// Throws the body's error as a `BenchmarkError`.
    package static func wrapping<Value: ~Copyable>(
        _ body: () throws(SystemError) -> Value
    ) throws(BenchmarkError) -> Value {
        do throws(SystemError) {
            return try body()
        } catch {
            throw BenchmarkError(error)
        }
    }

    package static func == (left: BenchmarkError, right: BenchmarkError) -> Bool {
        left.code == right.code
    }
}
