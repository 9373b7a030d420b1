package import JSON
import SearchModel

/// What a request says of itself: by which revision it is written, who sends it, and where its progress goes.
package struct AgentRequest: Equatable, Sendable {
    package let revision: Revision
    /// What the client calls itself.
    package let client: String?
    /// The text of its progress token, a string or a number.
    package let progressToken: [UInt8]?

    private static let tokenBytesMax = 1024

    /// Reads the `_meta` of a request's parameters.
    ///
    /// A request that names a revision there is served by itself; any other belongs to the session of its connection.
    ///
    /// - Parameters:
    ///   - params: The parameters.
    ///   - method: What is requested.
    ///   - session: What `initialize` has agreed on; nil before that.
    /// - Throws: When neither names a revision, or it is none that is spoken here.
    package init(
        _ params: JSONCursor?,
        of method: AgentMethodName,
        in session: AgentSession?
    ) throws(AgentError) {
        let meta = params?[MetaKey.meta]
        progressToken = meta?[MetaKey.progressToken].flatMap { token in
            let isToken = token.kind == .string || token.kind == .number
            return isToken && token.text.count <= Self.tokenBytesMax ? Array(token.text) : nil
        }
        if let version = meta?[MetaKey.protocolVersion] {
            revision = try Self.revision(version, of: meta)
            client = AgentSession.name(of: meta?[MetaKey.clientInfo])
        } else if let session, meta?[MetaKey.clientCapabilities] == nil {
            (revision, client) = (session.revision, session.client)
        } else if !method.needsRevision {
            (revision, client) = (.latestOfSessions, nil)
        } else {
            throw .invalidParams(
                "params.\(MetaKey.meta)",
                "“\(MetaKey.protocolVersion)” is missing",
                hint: "Name the revision in every request (\(Revision.july2026.rawValue)), or begin with initialize."
            )
        }
    }

    private static func revision(_ version: JSONCursor, of meta: JSONCursor?) throws(AgentError) -> Revision {
        let path = "params.\(MetaKey.meta)"
        guard version.kind == .string, version.text.count <= 64, let text = version.string else {
            throw .invalidParams(path, "“\(MetaKey.protocolVersion)” is no revision", hint: "Give it as a string.")
        }
        guard let revision = Revision(exactly: text), revision.isStateless else { throw .unsupportedRevision(text) }
        guard meta?[MetaKey.clientCapabilities]?.kind == .object else {
            throw .invalidParams(
                path,
                "“\(MetaKey.clientCapabilities)” is missing or no object",
                hint: "Give it in every request; {} for none."
            )
        }
        return revision
    }
}

extension AgentRequest {
    /// What a client of the latest revision says of itself in the parameters of every request.
    package static func meta(of client: String) -> JSONMember {
        let info: JSONValue = ["name": .string(client), "version": .string(Version.program)]
        return JSONMember(
            MetaKey.meta,
            .object([
                JSONMember(MetaKey.protocolVersion, .string(Revision.july2026.rawValue)),
                JSONMember(MetaKey.clientCapabilities, .object([])), JSONMember(MetaKey.clientInfo, info),
            ])
        )
    }
}

/// What `initialize` has agreed on with a connection.
package struct AgentSession: Equatable, Sendable {
    package let revision: Revision
    package let client: String?

    private static let nameBytesMax = 128

    /// From the parameters of `initialize`: the revision that is asked for, or the latest one that has sessions.
    package init(_ params: JSONCursor?) throws(AgentError) {
        guard let version = params?["protocolVersion"], version.kind == .string, version.text.count <= 64 else {
            throw .invalidParams(
                "params.protocolVersion",
                "“protocolVersion” is missing or no string",
                hint: "Name the revision of the protocol, such as \(Revision.latestOfSessions.rawValue)."
            )
        }
        let asked = version.string.flatMap { Revision(exactly: $0) }
        revision = asked.flatMap { $0.isStateless ? nil : $0 } ?? .latestOfSessions
        client = Self.name(of: params?["clientInfo"])
    }

    /// The name in a client's description of itself, if it is one.
    static func name(of client: JSONCursor?) -> String? {
        guard let name = client?["name"], name.text.count <= nameBytesMax, let text = name.string, !text.isEmpty else {
            return nil
        }
        return text
    }
}
