package import JSON
import SearchModel

/// Reads the contract's error objects, in answers and in a source's entry alike; pure.
package enum RemoteFailure {
    /// For an error whose `data` has no kind: another server's, or one older than the contract.
    private static let kinds: [Int: SearchError.Kind] = [
        -32700: .parseError, -32600: .invalidRequest, -32601: .methodNotFound, -32602: .invalidParams,
        -32603: .internal, -32800: .cancelled, -32001: .unknownSource, -32002: .notConfigured,
        -32003: .rateLimited, -32004: .quotaExhausted, -32005: .unavailable, -32006: .badResponse,
        -32007: .timeout, -32008: .overloaded, -32009: .shuttingDown, -32010: .notFound, -32011: .forbidden,
    ]

    /// Never fails: what is missing is made up for.
    package static func read(_ error: JSONCursor) -> ClientError {
        let data = error["data"]
        let code =
            data?["kind"]?.string.map(ClientError.Code.init(rawValue:))
            ?? ClientError.Code(error["code"]?.int.flatMap { kinds[$0] } ?? .internal)
        var hint = data?["hint"]?.string
        if hint == nil, let resetsAt = data?["resetsAt"]?.string { hint = "It begins anew at \(resetsAt)" }
        return ClientError(
            code,
            error["message"]?.string ?? code.rawValue,
            hint: hint,
            source: data?["source"]?.string,
            retryAfter: data?["retryAfter"]?.int.flatMap { $0 >= 0 ? .milliseconds($0) : nil },
            isRetryable: data?["retryable"]?.bool
        )
    }
}
