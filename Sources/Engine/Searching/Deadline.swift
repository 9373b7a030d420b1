import EventLoop

/// Runs an operation, and gives up waiting for it at a deadline: it is then cancelled, and `late` is the answer.
func withDeadline<Value: Sendable>(
    _ deadline: Instant,
    on loop: EventLoop,
    late: Value,
    operation: @escaping @Sendable () async -> Value
) async -> Value {
    await withTaskGroup(of: Value?.self) { group in
        group.addTask { await operation() }
        group.addTask {
            do {
                try await loop.sleep(until: deadline)
                return late
            } catch {
                // The operation was first, or the caller has left: its outcome counts.
                return nil
            }
        }
        var outcome = late
        for await finished in group {
            guard let finished else { continue }
            outcome = finished
            break
        }
        group.cancelAll()
        return outcome
    }
}
