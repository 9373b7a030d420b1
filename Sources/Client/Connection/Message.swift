package import JSON
package import RPC
import SearchModel

/// A message from the daemon.
package enum Message: Sendable {
    case result(id: Int, JSONCursor)
    case failure(id: Int?, ClientError)
    case notification(method: String, params: JSONCursor?)

    static let limits = JSONLimits(depthMax: 256, bytesMax: DaemonConnection.lineBytesMax)

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

    static func violated(_ what: String) -> ClientError {
        let hint = "Another program may listen there, or a searchd of another version."
        return ClientError(.protocolViolated, "the server on the socket sent \(what)", hint: hint)
    }
}

/// Reads an error in an answer of the daemon.
package enum RemoteFailure {
    package static func read(_ error: JSONCursor) -> ClientError {
        let data = error[.data]
        let code =
            data?[.kind]?.string.map(ClientError.Code.init(rawValue:))
            ?? ClientError.Code(ErrorCode.kind(of: error[.code]?.int ?? 0))
        var hint = data?[.hint]?.string
        if hint == nil, let resetsAt = data?[.resetsAt]?.string { hint = "The quota resets at \(resetsAt)" }
        let message = error[.message]?.string ?? code.rawValue
        var failure = ClientError(
            code,
            message,
            hint: hint,
            source: data?[.source]?.string,
            retryAfter: data?[.retryAfter]?.int.flatMap { $0 >= 0 ? .milliseconds($0) : nil },
            isRetryable: data?[.retryable]?.bool
        )
        failure.resetsAt = data?[.resetsAt]?.string
        failure.path = data?[.path]?.string
        failure.isOffline = data?[.offline]?.bool == true
        return failure
    }
}

package enum RequestLine {
    package static func request(_ id: Int, _ method: MethodName, params: [UInt8]? = nil) -> [UInt8] {
        request(id, method.rawValue, params: params)
    }

    static func request(_ id: Int, _ method: String, params: [UInt8]?) -> [UInt8] {
        message { writer in
            writer.member(.id, id)
            writer.member(.method, method)
            if let params { writer.member(.params, raw: params) }
        }
    }

    package static func cancellation(of id: Int) -> [UInt8] {
        message { writer in
            writer.member(.method, NotificationName.cancelRequest.rawValue)
            writer.object(.params) { $0.member(.id, id) }
        }
    }

    private static func message(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        JSONWriter.bytes { writer in
            writer.member(.jsonrpc, "2.0")
            members(&writer)
        }
    }
}

extension JSONWriter {
    package static func bytes(ofObject members: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object(members)
        return writer.bytes
    }
}
