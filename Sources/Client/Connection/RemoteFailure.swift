package import JSON
import RPC
import SearchModel

/// Reads the contract's error objects, in answers and in a source's entry alike; pure.
package enum RemoteFailure {
    /// Never fails: an error whose `data` has no kind, of another server or an older one, gets that of its number.
    package static func read(_ error: JSONCursor) -> ClientError {
        let data = error[.data]
        let code =
            data?[.kind]?.string.map(ClientError.Code.init(rawValue:))
            ?? ClientError.Code(ErrorCode.kind(of: error[.code]?.int ?? 0))
        var hint = data?[.hint]?.string
        if hint == nil, let resetsAt = data?[.resetsAt]?.string { hint = "It begins anew at \(resetsAt)" }
        return ClientError(
            code,
            error[.message]?.string ?? code.rawValue,
            hint: hint,
            source: data?[.source]?.string,
            retryAfter: data?[.retryAfter]?.int.flatMap { $0 >= 0 ? .milliseconds($0) : nil },
            isRetryable: data?[.retryable]?.bool
        )
    }
}
