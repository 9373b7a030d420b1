import Engine
import EventLoop
import JSON
import RPC
import SearchModel
import Storage
import Upstream

/// The answer of `server/stats`.
extension DaemonFigures {
    /// - Parameters:
    ///   - writer: Gets the figures.
    ///   - showsClient: Whether the reader may know what a user's programs do.
    func write(to writer: inout JSONWriter, showsClient: (_ userID: UInt32) -> Bool) {
        writer.object { writer in
            writer.member(.uptime, uptime.milliseconds.rounded() / 1000)
            writer.member(.reloadRefusedAt, reloadRefusedAt.map { RFC3339.text($0) })
            writer.object(.requests, requests)
            writer.object(.answers) { writer in
                writer.counts(counters.answers.inOrder)
            }
            writer.object(.outcomes) { writer in
                for (method, counts) in counters.outcomes.sorted(by: { $0.key < $1.key }) {
                    writer.name(method)
                    writer.object { $0.counts(counts.inOrder) }
                }
            }
            writer.object(.searches, searchFigures.write)
            writer.object(.connections, connectionFigures.write)
            writeClients(to: &writer, where: showsClient)
            writer.object(.cache) { $0.cache(engine.cache, engine.disk) }
            writer.object(.pictures, FigureValues(engine.pictures).write)
            writer.object(.flights, flightFigures.write)
            writer.object(.upstream, upstream)
            writeErrors(to: &writer)
            writer.object(.queue, queueFigures.write)
            writer.object(.limits, limits)
            if let failure = engine.ledgerFailure {
                writer.object(.ledger) { writer in
                    writer.member(.message, failure.message)
                    writer.member(.hint, failure.hint)
                }
            }
            if let problem = cacheProblem {
                writer.object(.cacheProblem) { writer in
                    writer.member(.message, problem.message)
                    writer.member(.hint, problem.hint)
                }
            }
            writer.object(.memory, memoryFigures.write)
            writer.object(.loop, loopFigures.write)
        }
    }

    private func requests(_ writer: inout JSONWriter) {
        writer.counts(counters.requestsByMethod.inOrder)
        writer.member(.unknown, counters.unknownMethods)
        writer.member(.notifications, counters.notifications)
        writer.member(.refused, counters.refusedLines)
    }

    private func upstream(_ writer: inout JSONWriter) {
        for (source, figures) in engine.upstream.sorted(by: { $0.key < $1.key }) {
            writer.name(source.text)
            writer.object { writer in
                writer.counts(figures.calls.inOrder)
                writer.object(.latency) { $0.histogram(figures.latency) }
            }
        }
    }

    private func limits(_ writer: inout JSONWriter) {
        for (source, standing) in engine.standings.sorted(by: { $0.key < $1.key }) {
            writer.name(source.text)
            writer.object { writer in
                writer.member(.state, standing.state.word)
                writer.object(.left) { writer in
                    for quota in standing.quotas { writer.member(quota.name, quota.left) }
                }
            }
        }
    }
}

extension JSONWriter {
    /// The figures of both tiers, which `cache/stats` has too.
    mutating func cache(_ memory: ResultCache.Figures, _ disk: PageArchive.Figures?) {
        FigureValues(memory).write(to: &self)
        object(.disk) { writer in
            if let disk { FigureValues(disk).write(to: &writer) }
        }
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
