import EventLoop
import JSON
import RPC
import SearchModel

/// The daemon says what it is, and learns the client's name.
struct HelloMethod: Method {
    let description = MethodDescription.hello

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        var parameters = try Parameters(call.params)
        let client = try parameters.string("client")
        if let client, client.utf8.count > WireBounds.clientBytesMax {
            throw parameters.mismatch("client", "at most \(WireBounds.clientBytesMax) bytes")
        }
        try parameters.finish()
        return .session(.hello(clientName: client))
    }
}

/// Liveness.
struct PingMethod: Method {
    let startedAt: Instant

    let description = MethodDescription.ping

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
    let description = MethodDescription.stats

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        try Parameters(call.params).finish()
        return .session(.stats)
    }
}

/// The daemon's figures for a collector of metrics.
struct MetricsMethod: Method {
    let description = MethodDescription.metrics

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        try Parameters(call.params).finish()
        return .session(.metrics)
    }
}

/// The OpenRPC document of the method table; written once.
struct DiscoverMethod: Method {
    let description = MethodDescription.discover
    private let document: [UInt8]

    init(version: String, others: [MethodDescription]) {
        var writer = JSONWriter()
        writer.value(Discovery.document(version: version, methods: others + [.discover]))
        document = writer.bytes
    }

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        try Parameters(call.params).finish()
        return .answered(.result(document))
    }
}
