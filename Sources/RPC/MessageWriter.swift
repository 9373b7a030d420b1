package import JSON
package import SearchModel

/// Writes JSON-RPC messages, without line ends.
package enum MessageWriter {
    package static func failure(_ id: RequestID, _ error: SearchError, to writer: inout JSONWriter) {
        failure(id, to: &writer) { self.error(error, to: &$0) }
    }

    package static func failure(
        _ id: RequestID,
        to writer: inout JSONWriter,
        error: (inout JSONWriter) -> Void
    ) {
        writer.object { writer in
            writer.member(.jsonrpc, "2.0")
            writer.member(.id, raw: id.text)
            writer.name(.error)
            error(&writer)
        }
    }

    package static func notification(
        _ method: String,
        to writer: inout JSONWriter,
        params: (inout JSONWriter) -> Void
    ) {
        writer.object { writer in
            writer.member(.jsonrpc, "2.0")
            writer.member(.method, method)
            writer.name(.params)
            params(&writer)
        }
    }

    package static func error(_ error: SearchError, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member(.code, ErrorCode.number(of: error.kind))
            writer.member(.message, error.message)
            writer.object(.data) { writer in
                writer.member(.kind, error.kind.rawValue)
                writer.member(.source, error.source?.text)
                writer.member(.path, error.path)
                writer.member(.file, error.location?.file)
                writer.member(.line, error.location?.line)
                writer.member(.key, error.location?.key)
                writer.member(.retryable, error.retryable)
                if error.isOffline { writer.member(.offline, true) }
                writer.member(.retryAfter, error.retryAfter.map(milliseconds))
                writer.member(.resetsAt, error.resetsAt)
                writer.member(.hint, error.hint)
                if let trace = error.trace { writer.member(.trace, raw: trace) }
            }
        }
    }

    /// Rounds up, so that a client waits long enough.
    private static func milliseconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = max(.zero, duration).components
        let (whole, overflow) = Int(seconds).multipliedReportingOverflow(by: 1000)
        let rest = Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
        return overflow || whole > .max - rest ? .max : whole + rest
    }
}
