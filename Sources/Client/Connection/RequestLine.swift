import JSON

/// The lines that we send; pure.
package enum RequestLine {
    /// A request; `params` is JSON already, or nothing.
    package static func request(_ id: Int, _ method: String, params: [UInt8]? = nil) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("jsonrpc", "2.0")
            writer.member("id", id)
            writer.member("method", method)
            if let params {
                writer.name("params")
                writer.raw(params)
            }
        }
        return writer.bytes
    }

    static func cancellation(of id: Int) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("jsonrpc", "2.0")
            writer.member("method", "$/cancelRequest")
            writer.name("params")
            writer.object { $0.member("id", id) }
        }
        return writer.bytes
    }
}
