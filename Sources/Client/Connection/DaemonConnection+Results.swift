package import EventLoop
package import JSON

extension DaemonConnection {
    /// The result of a request, when nothing else is of interest.
    package mutating func result(of request: Int, until deadline: Instant?) throws(ClientError) -> JSONCursor {
        while true {
            let (id, result) = try nextResult(until: deadline)
            if id == request { return result }
        }
    }

    /// The next result, whichever request it answers; notifications are passed over.
    ///
    /// - Throws: the daemon's error, whichever request it answers.
    package mutating func nextResult(until deadline: Instant?) throws(ClientError) -> (id: Int, result: JSONCursor) {
        while let line = try nextLine(until: deadline) {
            switch try Message.read(line) {
            case .result(let id, let result): return (id, result)
            case .failure(id: _, let error): throw error
            case .notification: continue
            }
        }
        throw Connector.lost
    }
}
