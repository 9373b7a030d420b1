import EventLoop
import JSON
import RPC
import SearchModel

/// What the daemon says of itself.
struct ServerFacts: Sendable {
    let version: String
    let processID: Int32
    let userID: UInt32
    let startedAt: Instant
}

/// The daemon says what it is, and learns the client's name.
struct HelloMethod: Method {
    static let clientBytesMax = 128

    let server: ServerFacts

    let description = MethodDescription(
        "server/hello",
        summary: "Version, protocol and capabilities; the client may name itself.",
        parameters: [.init("client", ["type": "string", "maxLength": .number(JSONNumber(Self.clientBytesMax))])],
        result: [
            .init("server", required: true, ["type": "string"]),
            .init("version", required: true, ["type": "string"]),
            .init("protocol", required: true, ["type": "integer"]),
            .init("capabilities", required: true, ["type": "array", "items": ["type": "string"]]),
            .init("pid", required: true, ["type": "integer"]),
            .init("uid", required: true, ["type": "integer"]),
        ]
    )

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        var parameters = try Parameters(call.params)
        let client = try parameters.string("client")
        if let client, client.utf8.count > Self.clientBytesMax {
            throw parameters.mismatch("client", "at most \(Self.clientBytesMax) bytes")
        }
        try parameters.finish()
        if let client { call.session.clientName = client }
        let capabilities = call.methods.capabilities
        return .answered(
            .writing { writer in
                writer.object { writer in
                    writer.member("server", "searchd")
                    writer.member("version", server.version)
                    writer.member("protocol", Version.wire)
                    writer.name("capabilities")
                    writer.array { writer in for name in capabilities { writer.string(name) } }
                    writer.member("pid", Int(server.processID))
                    writer.member("uid", Int(server.userID))
                }
            }
        )
    }
}

/// Liveness.
struct PingMethod: Method {
    let startedAt: Instant

    let description = MethodDescription(
        "server/ping",
        summary: "Whether the daemon answers, and for how many seconds it has been up.",
        result: [.init("uptime", required: true, ["type": "number"])]
    )

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        try Parameters(call.params).finish()
        let uptime = startedAt.duration(to: call.receivedAt).milliseconds.rounded() / 1000
        return .answered(
            .writing { writer in
                writer.object { writer in
                    writer.name("uptime")
                    writer.double(uptime)
                }
            }
        )
    }
}

/// The daemon's figures.
struct StatsMethod: Method {
    /// Called on the loop.
    let figures: @Sendable () -> DaemonFigures

    let description = MethodDescription(
        "server/stats",
        summary: """
            Counters and gauges of the daemon, its cache, its calls and its connections; who is connected and which \
            methods are at work for them (the \(ClientActivity.toldMax) busiest clients; age in ms), and which calls \
            to sources failed lately.
            """,
        result: [
            .init("uptime", required: true, ["type": "number"]),
            .init("requests", required: true, ["type": "object"]),
            .init("answers", required: true, ["type": "object"]),
            .init("outcomes", required: true, ["type": "object"]),
            .init("searches", required: true, ["type": "object"]),
            .init("connections", required: true, ["type": "object"]),
            .init("clients", required: true, ["type": "array", "items": ["type": "object"]]),
            .init("cache", required: true, ["type": "object"]),
            .init("flights", required: true, ["type": "object"]),
            .init("upstream", required: true, ["type": "object"]),
            .init("errors", required: true, ["type": "array", "items": ["type": "object"]]),
            .init("queue", required: true, ["type": "object"]),
            .init("limits", required: true, ["type": "object"]),
            .init("memory", required: true, ["type": "object"]),
            .init("loop", required: true, ["type": "object"]),
        ]
    )

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        try Parameters(call.params).finish()
        return .answered(.writing(figures().write))
    }
}

/// The daemon's figures for a collector of metrics.
struct MetricsMethod: Method {
    /// Called on the loop.
    let figures: @Sendable () -> DaemonFigures

    let description = MethodDescription(
        "server/metrics",
        summary: "The figures of server/stats in the text format of Prometheus, version 0.0.4.",
        result: [.init("text", required: true, ["type": "string"])]
    )

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        try Parameters(call.params).finish()
        let text = MetricsText.write(figures().metrics)
        return .answered(
            .writing { writer in
                writer.object { $0.member("text", text) }
            }
        )
    }
}

/// The OpenRPC document of the method table.
struct DiscoverMethod: Method {
    let version: String

    let description = MethodDescription(
        "rpc.discover",
        summary: "This document.",
        result: [
            .init("openrpc", required: true, ["type": "string"]),
            .init("methods", required: true, ["type": "array"]),
        ]
    )

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        try Parameters(call.params).finish()
        let document = Discovery.document(version: version, methods: call.methods.descriptions)
        return .answered(.writing { $0.value(document) })
    }
}
