package import JSON
import RPC
import SearchModel

/// One line of the daemon, read.
package enum Message: Sendable {
    case result(id: Int, JSONCursor)
    /// Without an id: it concerns the connection, or a request that could not be read.
    case failure(id: Int?, ClientError)
    case notification(method: String, params: JSONCursor?)

    private static let limits = JSONLimits(depthMax: 256, bytesMax: DaemonConnection.lineBytesMax)

    /// Reads a line.
    ///
    /// - Throws: `protocolViolated` when it is no message that answers ours.
    package static func read(_ line: [UInt8]) throws(ClientError) -> Message {
        let root: JSONCursor
        do {
            root = try JSONDocument(line, limits: limits).root
        } catch {
            throw violated("a line that is not JSON")
        }
        if let method = root[.method]?.string {
            guard root[.id] == nil else { throw violated("a request") }
            return .notification(method: method, params: root[.params])
        }
        if let error = root[.error] {
            return .failure(id: root[.id]?.int, RemoteFailure.read(error))
        }
        guard let id = root[.id]?.int, let result = root[.result] else {
            throw violated("an answer without a result")
        }
        return .result(id: id, result)
    }

    private static func violated(_ what: String) -> ClientError {
        ClientError(
            .protocolViolated,
            "what listens on the socket sent \(what)",
            hint: "Is it another program than searchd, or a searchd of another version?"
        )
    }
}
