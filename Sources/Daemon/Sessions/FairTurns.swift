import EventLoop

/// Sessions that go on being served after a pause: one in a turn of the loop, in the order in which they came.
///
/// `@unchecked Sendable` so that the loop's actions may hold it: confined to the loop.
final class FairTurns: @unchecked Sendable {
    private let loop: EventLoop
    private var due: [Session] = []

    init(on loop: EventLoop) {
        self.loop = loop
    }

    func add(_ session: Session) {
        due.append(session)
        if due.count == 1 { serveNext() }
    }

    /// Serves one session in a turn of its own: what others send is read before the next.
    private func serveNext() {
        loop.perform { [self] in
            // It stays in front meanwhile: a session that is due again goes to the end.
            due[0].resume()
            due.removeFirst()
            if !due.isEmpty { serveNext() }
        }
    }
}
