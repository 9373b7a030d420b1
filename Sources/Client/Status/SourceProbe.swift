import EventLoop
import JSON
import RPC
import SearchModel

/// Asks sources once each, as cheaply as can be: one hit of a common word, past the cache, and nothing of it is kept.
enum SourceProbe {
    static let query = "seoul"
    static let timeoutSeconds = 8
    /// How much longer than that the daemon may take to say so.
    static let graceSeconds = 3

    /// Asks all of them at once.
    ///
    /// - Parameters:
    ///   - sources: Their names; each costs one call of its quota.
    ///   - firstID: The request of the first; the others count on.
    ///   - exchange: The daemon.
    /// - Returns: What went wrong, by source; one that answered is not in it.
    /// - Throws: When the daemon does not answer; not when a source fails.
    static func troubles(
        with sources: [String],
        firstID: Int,
        over exchange: inout DaemonConnection
    ) throws(ClientError) -> [String: ClientError] {
        for (index, source) in sources.enumerated() {
            try exchange.send(line: RequestLine.request(firstID + index, .search, params: params(source)))
        }
        let deadline = Instant.now.advanced(by: .seconds(timeoutSeconds + graceSeconds))
        var troubles: [String: ClientError] = [:]
        var answered = 0
        while answered < sources.count, let line = try exchange.nextLine(until: deadline) {
            switch try Message.read(line) {
            case .result(let id, let result) where sources.indices.contains(id - firstID):
                troubles[sources[id - firstID]] = SearchReport(result).sources.first?.trouble
                answered += 1
            case .failure(let id?, let error) where sources.indices.contains(id - firstID):
                troubles[sources[id - firstID]] = error
                answered += 1
            case .failure(id: nil, let error): throw error
            case .result, .failure, .notification: continue
            }
        }
        guard answered == sources.count else { throw Connector.lost }
        return troubles
    }

    private static func params(_ source: String) -> [UInt8] {
        JSONWriter.bytes { writer in
            writer.member(.query, query)
            writer.array(.sources) { $0.string(source) }
            writer.member(.limit, 1)
            writer.member(.maxAge, 0)
            writer.member(.timeout, timeoutSeconds * 1000)
            writer.member(.private, true)
        }
    }
}
