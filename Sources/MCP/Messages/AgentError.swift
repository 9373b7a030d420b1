package import JSON
import RPC
package import SearchModel

/// An error of the Model Context Protocol: a request that is wrong, or asks for what is not here.
///
/// A tool that fails is none: that is a result, which the model reads.
package struct AgentError: Error, Equatable, Sendable {
    package let code: Int
    /// As in `SearchError`, for the log.
    package let kind: String
    package let message: String
    let data: JSONValue

    /// Reserved by the protocol for a revision that is not spoken.
    static let unsupportedRevisionCode = -32022
    /// For a resource that is not there, until 2025-11-25.
    static let resourceNotFoundCode = -32002

    /// Parameters that are wrong.
    package static func invalidParams(_ path: String, _ message: String, hint: String) -> AgentError {
        AgentError(Parameters.invalid(path, message, hint: hint))
    }

    /// An error of the daemon's own wire; its codes from -32019 to -32000 mean something else here.
    package init(_ error: SearchError) {
        let number = ErrorCode.number(of: error.kind)
        code = (-32099 ... -32000).contains(number) ? ErrorCode.number(of: .internal) : number
        (kind, message) = (error.kind.rawValue, error.message)
        var writer = JSONWriter()
        MessageWriter.error(error, to: &writer)
        data = (try? JSONDocument(writer.bytes))?.root.value[.data] ?? .null
    }

    private init(code: Int, kind: String, message: String, data: JSONValue) {
        (self.code, self.kind, self.message, self.data) = (code, kind, message, data)
    }

    static func unsupportedRevision(_ requested: String) -> AgentError {
        AgentError(
            code: unsupportedRevisionCode,
            kind: "unsupportedProtocolVersion",
            message: "Unsupported protocol version",
            data: [
                "supported": .array(Revision.allCases.reversed().map { .string($0.rawValue) }),
                "requested": .string(requested),
            ]
        )
    }

    package static func resourceNotFound(_ uri: String, in revision: Revision) -> AgentError {
        AgentError(
            code: revision.isStateless ? ErrorCode.number(of: .invalidParams) : resourceNotFoundCode,
            kind: SearchError.Kind.notFound.rawValue,
            message: "Resource not found",
            data: ["uri": .string(uri)]
        )
    }

    /// Writes the error object.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member(.code, code)
            writer.member(.message, message)
            writer.member(.data, data)
        }
    }
}
