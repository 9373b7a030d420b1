import Engine
import EventLoop
import JSON
import SearchModel

/// The answer of `server/stats`.
extension DaemonFigures {
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.name("uptime")
            writer.double((uptime.milliseconds.rounded() / 1000))
            writer.name("requests")
            writer.object(requests)
            writer.name("answers")
            writer.object { writer in
                writer.member("repeated", counters.repeatedSearches)
                writer.counts(counters.answers) { $0 }
            }
            writer.name("outcomes")
            writer.object { writer in
                for (method, counts) in counters.outcomesByMethod.sorted(by: { $0.key < $1.key }) {
                    writer.name(method)
                    writer.object { $0.counts(counts) { $0 } }
                }
            }
            writer.name("searches")
            writer.object(searches)
            writer.name("connections")
            writer.object(connections)
            writeClients(to: &writer)
            writer.name("cache")
            writer.object(cache)
            writer.name("flights")
            writer.object(flights)
            writer.name("upstream")
            writer.object(upstream)
            writeErrors(to: &writer)
            writer.name("queue")
            writer.object { writer in
                writer.member("waiting", engine.waiting)
                writer.member("running", engine.running)
                writer.name("waits")
                writer.object { writer in
                    for reason in CallEvent.WaitReason.allCases {
                        writer.member(reason.rawValue, engine.waits[reason] ?? 0)
                    }
                }
            }
            writer.name("limits")
            writer.object(limits)
            writer.name("memory")
            writer.object { writer in
                writer.member("resident", memory.resident)
                writer.member("finishedAnswers", memory.finishedAnswers)
                writer.member("connections", memory.held)
                writer.member("connectionsMax", memory.heldMax)
            }
            writer.name("loop")
            writer.object(loop)
        }
    }

    private func requests(_ writer: inout JSONWriter) {
        var byMethod = counters.requestsByMethod
        byMethod["search", default: 0] += counters.repeatedSearches
        writer.counts(byMethod) { $0 }
        writer.member("unknown", counters.unknownMethods)
        writer.member("notifications", counters.notifications)
        writer.member("refused", counters.refusedLines)
    }

    private func searches(_ writer: inout JSONWriter) {
        writer.name("cache")
        writer.object { writer in
            for use in SourceReport.CacheUse.allCases {
                writer.member(use.rawValue, engine.searches.byCacheUse[use] ?? 0)
            }
        }
        writer.name("status")
        writer.object { writer in
            for status in SourceReport.Status.allCases {
                writer.member(status.rawValue, engine.searches.byStatus[status] ?? 0)
            }
        }
        writer.name("hits")
        writer.object { $0.counts(engine.searches.hits) { $0.text } }
    }

    private func connections(_ writer: inout JSONWriter) {
        writer.member("open", connections.open)
        writer.member("clients", connections.clients)
        writer.member("accepted", counters.connectionsAccepted)
        writer.member("refused", counters.connectionsRefused)
        writer.member("stalled", counters.connectionsStalled)
        writer.member("replaced", counters.connectionsReplaced)
        writer.member("bytesIn", counters.bytesIn)
        writer.member("bytesOut", counters.bytesOut)
        writer.member("inFlight", connections.inFlight)
    }

    private func cache(_ writer: inout JSONWriter) {
        CacheStatsMethod.write(engine.cache, engine.disk, to: &writer)
    }

    private func flights(_ writer: inout JSONWriter) {
        writer.member("calls", engine.flights.flights)
        writer.member("waiters", engine.flights.waiters)
        writer.member("led", engine.flights.led)
        writer.member("joined", engine.flights.joined)
        writer.member("refused", engine.flights.refused)
        writer.member("abandoned", engine.flights.abandoned)
    }

    private func upstream(_ writer: inout JSONWriter) {
        for (source, figures) in engine.upstream.sorted(by: { $0.key < $1.key }) {
            writer.name(source.text)
            writer.object { writer in
                writer.counts(figures.calls) { $0 }
                writer.name("latency")
                writer.object { $0.histogram(figures.latency) }
            }
        }
    }

    private func limits(_ writer: inout JSONWriter) {
        for (source, standing) in engine.standings.sorted(by: { $0.key < $1.key }) {
            writer.name(source.text)
            writer.object { writer in
                writer.member("state", standing.state.word)
                writer.name("left")
                writer.object { writer in for quota in standing.quotas { writer.member(quota.name, quota.left) } }
            }
        }
    }

    private func loop(_ writer: inout JSONWriter) {
        writer.name("longestTurn")
        writer.double(Double(loop.longestTurnNanoseconds) / 1_000_000)
        writer.name("turns")
        writer.object { $0.histogram(loop.turns) }
        writer.name("longestStep")
        writer.double(Double(loop.longestStepNanoseconds) / 1_000_000)
        writer.name("steps")
        writer.object { $0.histogram(loop.steps) }
    }
}

extension SourceStanding.State {
    var word: String {
        switch self {
        case .free: "free"
        case .waiting: "waiting"
        case .open: "open"
        }
    }
}

extension JSONWriter {
    /// Members in the order of their names.
    fileprivate mutating func counts<Key>(_ counts: [Key: Int], name: (Key) -> String) {
        for (key, count) in counts.map({ (name($0.key), $0.value) }).sorted(by: { $0.0 < $1.0 }) { member(key, count) }
    }

    /// How many, their mean and, for each bound in milliseconds, how many took at most so long.
    fileprivate mutating func histogram(_ histogram: LatencyHistogram) {
        member("count", histogram.count)
        name("mean")
        double(histogram.count == 0 ? 0 : Double(histogram.sumNanoseconds) / Double(histogram.count) / 1_000_000)
        name("atMost")
        object { writer in
            for bucket in histogram.cumulative where bucket.count > 0 {
                writer.member(PlainNumber.text(Double(bucket.bound) / 1_000_000), bucket.count)
            }
        }
    }
}
