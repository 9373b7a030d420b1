import EventLoop
import JSON
import RPC
import SearchModel

/// The methods about the daemon itself.
struct ServerMethods {
    let processID: Int32
    let userID: UInt32
    let startedAt: Instant
    let data: PersonalData
    let figures: @Sendable () -> DaemonFigures
    let reload: @Sendable () throws(SearchError) -> ReloadReport

    var all: [Method] {
        [hello, ping, stats, metrics, reloadMethod, discover]
    }

    private var hello: Method {
        Method(.hello) { [processID, userID] call, parameters throws(SearchError) in
            let client = try parameters.string(.client)
            if let client, client.utf8.count > WireBounds.clientBytesMax {
                throw parameters.mismatch(.client, "at most \(WireBounds.clientBytesMax) bytes")
            }
            try parameters.finish()
            if let client { call.session.name(client: client) }
            return .answered(
                .object { writer in
                    writer.member(.server, "searchd")
                    writer.member(.version, Version.program)
                    writer.member(.protocol, Version.wire)
                    writer.member(.capabilities, call.methods.capabilities)
                    writer.member(.pid, Int(processID))
                    writer.member(.uid, Int(userID))
                }
            )
        }
    }

    private var ping: Method {
        Method(.ping) { [startedAt] call, parameters throws(SearchError) in
            try parameters.finish()
            let uptime = startedAt.duration(to: call.receivedAt).milliseconds.rounded() / 1000
            return .answered(.object { $0.member(.uptime, uptime) })
        }
    }

    private var stats: Method {
        Method(.stats) { [figures, data] call, parameters throws(SearchError) in
            try parameters.finish()
            let (isAdministrator, userID) = (call.isAdministrator, call.session.peer.userID)
            var writer = JSONWriter()
            writer.object { figures().write(to: &$0) { isAdministrator || $0 == userID } }
            let text = writer.bytes
            guard let user = data.searcher(of: call) else { return .answered(.result(text)) }
            return .running(channel: nil) { _ in
                let personal = await user.figures()
                return .object { writer in
                    writer.raw(text.dropFirst().dropLast())
                    writer.object(.personal, personal.write)
                }
            }
        }
    }

    private var metrics: Method {
        Method(.metrics) { [figures] _, parameters throws(SearchError) in
            try parameters.finish()
            let text = figures().metrics.map(\.text).joined()
            return .answered(.object { $0.member(.text, text) })
        }
    }

    private var reloadMethod: Method {
        Method(.reload, for: .administrators) { [reload] _, parameters throws(SearchError) in
            try parameters.finish()
            return .answered(.object(try reload().write))
        }
    }

    private var discover: Method {
        Method(.discover) { _, parameters throws(SearchError) in
            try parameters.finish()
            return .answered(.result(Self.document))
        }
    }

    private static let document = Discovery.document(version: Version.program, methods: MethodDescription.all).bytes
}

enum CancelRequest {
    static let name = NotificationName.cancelRequest.rawValue

    /// Ignores unknown ids, because the request may already have been answered.
    static func receive(_ params: JSONCursor?, from session: Session) {
        for (name, value) in params?.members ?? [] {
            guard name.hasSameBytes(as: Member.id.description), let id = RequestID(value) else { continue }
            session.requests.end(id, with: SessionErrors.cancelled)
        }
    }
}
