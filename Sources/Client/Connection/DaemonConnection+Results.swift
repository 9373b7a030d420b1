package import EventLoop
import Glibc
package import JSON
import RPC
import SearchModel

extension DaemonConnection {
    /// The result of a request, when nothing else is of interest.
    package mutating func result(of request: Int, until deadline: Instant?) throws(ClientError) -> JSONCursor {
        while true {
            let (id, result) = try nextResult(until: deadline)
            if id == request { return result }
        }
    }

    /// How a key is set for this daemon: a socket that this user has not made leads to the system's.
    var keys: KeyCommandLine {
        KeyCommandLine(isSystem: path == SocketPlan.systemPath || peer.map { $0.userID != geteuid() } ?? false)
    }

    /// Asks for one thing; its result.
    mutating func ask(
        _ method: MethodName,
        params: [UInt8]? = nil,
        id: Int = 1,
        within seconds: Int
    ) throws(ClientError) -> JSONCursor {
        try send(line: RequestLine.request(id, method, params: params))
        return try result(of: id, until: .now.advanced(by: .seconds(seconds)))
    }

    /// Prints JSON, or lines for people; returns when all is written.
    mutating func print(json: ArraySlice<UInt8>, or lines: [String], as format: OutputFormat) throws(ClientError) {
        switch format {
        case .json: print(json: json)
        case .text: for line in lines { print("\(line)\n".utf8) }
        }
        try flush()
    }

    /// The next result, whichever request it answers; notifications are passed over.
    ///
    /// - Throws: the daemon's error, whichever request it answers.
    package mutating func nextResult(until deadline: Instant?) throws(ClientError) -> (id: Int, result: JSONCursor) {
        while let line = try nextLine(until: deadline) {
            switch try Message.read(line) {
            case .result(let id, let result): return (id, result)
            case .failure(id: _, let error): throw error.code == .init(.methodNotFound) ? Self.older : error
            case .notification: continue
            }
        }
        throw Connector.lost
    }

    /// All that is asked for so are methods of the contract.
    private static var older: ClientError {
        ClientError(
            .init(.methodNotFound),
            "the searchd that is running is older than this searchctl",
            hint: "“searchctl restart” starts the installed one."
        )
    }
}
