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
        case .stats: return stats()
        }
    }

    private func stats() -> Reply {
        .writing { writer in
            writer.object { writer in
                let uptime = facts.startedAt.duration(to: loop.now).milliseconds.rounded() / 1000
                writer.name("uptime")
                writer.double(uptime)
                writer.name("requests")
                writer.object { writer in
                    var byMethod = counters.requestsByMethod
                    byMethod["search", default: 0] += counters.repeatedSearches
                    for (name, count) in byMethod.sorted(by: { $0.key < $1.key }) { writer.member(name, count) }
                    writer.member("unknown", counters.unknownMethods)
                    writer.member("notifications", counters.notifications)
                    writer.member("refused", counters.refusedLines)
                }
                writer.name("answers")
                writer.object { writer in
                    writer.member("ok", counters.answersOK)
                    writer.member("repeated", counters.repeatedSearches)
                    for (kind, count) in counters.answersByError.sorted(by: { $0.key < $1.key }) {
                        writer.member(kind, count)
                    }
                }
                writer.name("connections")
                writer.object { writer in
                    writer.member("open", connections.count)
                    writer.member("accepted", counters.connectionsAccepted)
                    writer.member("refused", counters.connectionsRefused)
                    writer.member("stalled", counters.connectionsStalled)
                    writer.member("bytesIn", counters.bytesIn)
                    writer.member("bytesOut", counters.bytesOut)
                    writer.member("inFlight", connections.values.reduce(0) { $0 + $1.inFlight.count })
                }
                for member in facts.engineFigures() { writer.member(member.name, member.value) }
                writer.name("memory")
                writer.object { writer in
                    writer.member("resident", ProcessMemory.resident())
                    writer.member("finishedAnswers", finishedAnswers.bytesUsed)
                }
            }
        }
    }

    // MARK: Draining

    /// Takes nothing new in, and returns when everything in flight has been answered and sent, or at the deadline.
    ///
    /// Each connection is closed as soon as it is owed nothing more.
    func drain(until deadline: Instant) async {
        stopListening()
        isDraining = true
        for connection in connections.values { readLast(connection) }
        if !connections.isEmpty {
            let timer = loop.schedule(at: deadline) { [self] in assumeIsolated { $0.endDrain() } }
            await withCheckedContinuation { drained = $0 }
            loop.cancel(timer)
        }
        for connection in connections.values {
            for id in connection.inFlight.keys { end(id, with: .failure(Self.shuttingDown), connection) }
            flush(connection)
            drop(connection)
        }
    }

    func endDrainIfDone() {
        if isDraining, connections.isEmpty { endDrain() }
    }

    private func endDrain() {
        drained?.resume()
        drained = nil
    }
}
