/// Lets a few tests through at a time: each has a daemon, and all of them at once would only wait for each other.
actor Gate {
    static let daemons = Gate(places: 4)

    private var places: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(places: Int) {
        self.places = places
    }

    func enter() async {
        if places > 0 {
            places -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func leave() {
        if waiting.isEmpty { places += 1 } else { waiting.removeFirst().resume() }
    }

    /// Runs a body in one of the places.
    nonisolated func pass<Result>(_ body: () async throws -> Result) async throws -> Result {
        await enter()
        let outcome: Swift.Result<Result, any Error>
        do {
            outcome = .success(try await body())
        } catch {
            outcome = .failure(error)
        }
        await leave()
        return try outcome.get()
    }
}
