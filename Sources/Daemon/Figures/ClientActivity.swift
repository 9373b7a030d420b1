import EventLoop

/// What one program of one user is doing at a moment, over all of its connections; never what it asks for.
struct ClientActivity: Equatable {
    /// Requests of one method that are being worked on.
    struct Work: Equatable {
        var count = 0
        /// How long the oldest has been.
        var age = Duration.zero
    }

    /// How many are listed; further ones are only counted.
    static let toldMax = 50

    let userID: UInt32
    let processID: Int32
    /// As it announced itself.
    let name: String?
    var connections = 0
    /// Requests in flight; how many of them stream.
    var requests = 0
    var streams = 0
    var channels = 0
    var work: [String: Work] = [:]

    /// Whatever is connected, the busiest first.
    ///
    /// - Complexity: O(n log n) in the sessions and their requests.
    static func all(of sessions: some Sequence<Session>, at now: Instant) -> [ClientActivity] {
        var clients: [Key: ClientActivity] = [:]
        for session in sessions {
            let peer = session.peer
            let key = Key(userID: peer.userID, processID: peer.processID, name: session.clientName)
            var client =
                clients[key] ?? ClientActivity(userID: key.userID, processID: key.processID, name: key.name)
            client.add(session, at: now)
            clients[key] = client
        }
        return clients.values.sorted { left, right in
            if left.requests != right.requests { return left.requests > right.requests }
            if left.connections != right.connections { return left.connections > right.connections }
            return (left.processID, left.name ?? "") < (right.processID, right.name ?? "")
        }
    }

    private struct Key: Hashable {
        let userID: UInt32
        let processID: Int32
        let name: String?
    }

    private mutating func add(_ session: Session, at now: Instant) {
        connections += 1
        channels += session.requests.channelCount
        for request in session.requests.all {
            requests += 1
            if request.streams { streams += 1 }
            guard !session.shared.counters.uncounted.contains(request.method) else { continue }
            var same = work[request.method] ?? Work()
            same.count += 1
            same.age = max(same.age, request.receivedAt.duration(to: now))
            work[request.method] = same
        }
    }
}
