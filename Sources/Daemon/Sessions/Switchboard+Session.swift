import Engine
import EventLoop
import JSON
import SearchModel

extension Switchboard {
    /// Answers what only the switchboard knows.
    func answer(_ call: SessionCall, _ connection: Connection) -> Reply {
        switch call {
        case .hello(let clientName):
            connection.clientName = clientName ?? connection.clientName
            return .writing { writer in
                writer.object { writer in
                    writer.member("server", "searchd")
                    writer.member("version", facts.version)
                    writer.member("protocol", Version.wire)
                    writer.name("capabilities")
                    writer.array { writer in for name in facts.capabilities { writer.string(name) } }
                    writer.member("pid", Int(facts.processID))
                    writer.member("uid", Int(facts.userID))
                }
            }
        case .stats: return .writing(figures.write)
        case .metrics:
            let text = MetricsText.write(figures.metrics)
            return .writing { writer in
                writer.object { $0.member("text", text) }
            }
        case .reload: return reloaded()
        }
    }

    /// Whether a method is for whoever is at the other end of a connection.
    func allows(_ permission: MethodPermission, _ connection: Connection) -> Bool {
        switch permission {
        case .anyone: true
        case .administrators: administration.allows(connection.peer) { Peer.groups(of: connection.descriptor.raw) }
        }
    }

    private func reloaded() -> Reply {
        guard let reload else { return .failure(Administration.forbidden) }
        do throws(SearchError) {
            let report = try reload()
            return .writing(report.write)
        } catch {
            return .failure(error)
        }
    }

    private var figures: DaemonFigures {
        let clients = ClientActivity.all(of: connections.values, at: loop.now)
        return DaemonFigures(
            version: facts.version,
            uptime: facts.startedAt.duration(to: loop.now),
            counters: counters,
            connections: .init(
                open: connections.count,
                clients: clients.count,
                inFlight: clients.reduce(0) { $0 + $1.requests }
            ),
            clients: clients,
            engine: facts.engineFigures(),
            memory: .init(
                resident: ProcessMemory.resident(),
                held: memory.bytesUsed,
                heldMax: memory.bytesMax,
                finishedAnswers: finishedAnswers.bytesUsed
            ),
            loop: loop.figures
        )
    }
}
