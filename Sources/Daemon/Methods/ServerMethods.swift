import EventLoop
import JSON
import RPC
import SearchModel

/// What the daemon says of itself.
struct ServerFacts: Sendable {
    let version = Version.program
    let processID: Int32
    let userID: UInt32
    let startedAt: Instant

    init(_ process: ProcessEnvironment, startedAt: Instant) {
        (processID, userID) = (process.processID, process.userID)
        self.startedAt = startedAt
    }
}

/// The daemon says what it is, and learns the client's name.
struct HelloMethod: Method {
    let server: ServerFacts

    let description = MethodDescription.hello

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        var parameters = try Parameters(call.params)
        let client = try parameters.string(.client)
        if let client, client.utf8.count > WireBounds.clientBytesMax {
            throw parameters.mismatch(.client, "at most \(WireBounds.clientBytesMax) bytes")
        }
        try parameters.finish()
        if let client { call.session.name(client: client) }
        let capabilities = call.methods.capabilities
        return .answered(
            .writing { writer in
                writer.object { writer in
                    writer.member(.server, "searchd")
                    writer.member(.version, server.version)
                    writer.member(.protocol, Version.wire)
                    writer.member(.capabilities, capabilities)
                    writer.member(.pid, Int(server.processID))
                    writer.member(.uid, Int(server.userID))
                }
            }
        )
    }
}

/// Liveness.
struct PingMethod: Method {
    let startedAt: Instant

    let description = MethodDescription.ping

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        try Parameters(call.params).finish()
        let uptime = startedAt.duration(to: call.receivedAt).milliseconds.rounded() / 1000
        return .answered(.writing { writer in writer.object { $0.member(.uptime, uptime) } })
    }
}

/// The daemon's figures.
struct StatsMethod: Method {
    /// Called on the loop.
    let figures: @Sendable () -> DaemonFigures
    let data: PersonalData

    let description = MethodDescription.stats

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        try Parameters(call.params).finish()
        let (isAdministrator, userID) = (call.isAdministrator, call.session.peer.userID)
        var writer = JSONWriter()
        // As they are now, without this request.
        figures().write(to: &writer, showsClient: { isAdministrator || $0 == userID })
        let figures = writer.bytes
        guard let user = data.searcher(of: call) else { return .answered(.result(figures)) }
        return .running(channel: nil) { _ in Self.reply(figures, await user.figures()) }
    }

    /// An object with one member more.
    private static func reply(_ figures: [UInt8], _ personal: PersonalFigures) -> Reply {
        var writer = JSONWriter()
        writer.object(personal.write)
        return .result(figures.dropLast() + ",\"\(Member.personal)\":".utf8 + writer.bytes + "}".utf8)
    }
}

/// The daemon's figures for a collector of metrics.
struct MetricsMethod: Method {
    /// Called on the loop.
    let figures: @Sendable () -> DaemonFigures

    let description = MethodDescription.metrics

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        try Parameters(call.params).finish()
        let text = MetricsText.write(figures().metrics)
        return .answered(.writing { writer in writer.object { $0.member(.text, text) } })
    }
}

/// The OpenRPC document of the method table.
struct DiscoverMethod: Method {
    let description = MethodDescription.discover
    /// Written once, at the first call.
    private let document = Locked<[UInt8]?>(nil)

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        try Parameters(call.params).finish()
        let bytes = document.withLock { document in
            let bytes =
                document ?? Discovery.document(version: Version.program, methods: call.methods.descriptions).bytes
            document = bytes
            return bytes
        }
        return .answered(.result(bytes))
    }
}

/// Configuration, sources and keys are read again.
struct ReloadMethod: Method {
    /// Puts what the configuration says now in force; all of it, or nothing.
    let reload: @Sendable () throws(SearchError) -> ReloadReport

    let permission = MethodPermission.administrators
    let description = MethodDescription.reload

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        try Parameters(call.params).finish()
        return .answered(.writing(try reload().write))
    }
}

/// Ends a request of the same connection.
struct CancelRequest: ClientNotification {
    let description = NotificationDescription.cancelRequest

    func receive(_ params: JSONCursor?, from session: Session) {
        params?.forEachMember { name, value in
            // Unknown ids are those of requests that have been answered: nothing to do, nothing to say.
            guard name.hasSameBytes(as: Member.id.description), let id = RequestID(value) else { return }
            session.requests.end(id, with: SessionErrors.cancelled)
        }
    }
}
