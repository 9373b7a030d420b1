import EventLoop

/// Runs asynchronous work on a new loop, and waits for it.
enum OnLoop {
    static func run<Value: Sendable>(
        _ body: @escaping @Sendable (EventLoop) async throws(BenchmarkError) -> Value
    ) throws(BenchmarkError) -> Value {
        let loop = try BenchmarkError.wrapping { () throws(SystemError) in try EventLoop() }
        let outcome = Locked<Result<Value, BenchmarkError>?>(nil)
        Task.detached(executorPreference: loop) {
            let result: Result<Value, BenchmarkError>
            do throws(BenchmarkError) {
                result = .success(try await body(loop))
            } catch {
                result = .failure(error)
            }
            outcome.withLock { $0 = result }
            loop.stop()
        }
        loop.run()
        guard let result = outcome.withLock({ $0 }) else { throw BenchmarkError(.program, "the loop ended early") }
        return try result.get()
    }
}
