import JSON
package import RPC
import SearchModel

/// The lines that we send; pure.
package enum RequestLine {
    /// A request; `params` is JSON already, or nothing.
    package static func request(_ id: Int, _ method: MethodName, params: [UInt8]? = nil) -> [UInt8] {
        request(id, method.rawValue, params: params)
    }

    /// A request of a method that may be none of ours.
    static func request(_ id: Int, _ method: String, params: [UInt8]?) -> [UInt8] {
        message { writer in
            writer.member(.id, id)
            writer.member(.method, method)
            if let params { writer.member(.params, raw: params) }
        }
    }

    static func cancellation(of id: Int) -> [UInt8] {
        message { writer in
            writer.member(.method, NotificationName.cancelRequest.rawValue)
            writer.object(.params) { $0.member(.id, id) }
        }
    }

    private static func message(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member(.jsonrpc, "2.0")
            members(&writer)
        }
        return writer.bytes
    }
}
