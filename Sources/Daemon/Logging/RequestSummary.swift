import EventLoop

/// What the log tells of a request: everything but what it asked for.
struct RequestSummary: Sendable {
    let method: String
    let peer: Peer
    /// The error's kind; nil for a result.
    let error: String?

    func message(_ elapsed: Duration) -> String {
        "\(method) of user \(peer.userID) took \(Int(elapsed.milliseconds)) ms"
    }

    func fields(_ elapsed: Duration) -> [LogRecord.Field] {
        [
            LogRecord.Field("method", method), LogRecord.Field("elapsedMilliseconds", Int(elapsed.milliseconds)),
            LogRecord.Field("user", peer.userID), LogRecord.Field("process", peer.processID),
            LogRecord.Field("outcome", error ?? "ok"),
        ]
    }
}
