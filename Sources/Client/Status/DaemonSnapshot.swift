package import JSON
package import RPC
import SearchModel

/// The state of the daemon at one time.
///
/// Its texts have no control characters.
package struct DaemonSnapshot {
    package static let methods = [MethodName.hello, .stats, .sourceList]

    package let hello: JSONCursor?
    package let stats: JSONCursor?
    package let list: JSONCursor?
    package let clock: LocalClock
    package let all: [SourceEntry]
    /// Excludes `library` and `seen`, which search the user's own data.
    package let sources: [SourceEntry]

    package init(
        hello: JSONCursor? = nil,
        stats: JSONCursor? = nil,
        list: JSONCursor? = nil,
        clock: LocalClock = .system
    ) {
        (self.hello, self.stats, self.list, self.clock) = (hello, stats, list, clock)
        all = (list?[.sources]?.elements ?? []).map { SourceEntry($0, clock: clock) }
        sources = all.filter { !$0.isOwn }
    }

    package init(
        of exchange: inout DaemonConnection,
        _ methods: [MethodName] = methods,
        clock: LocalClock
    ) throws(ClientError) {
        var results: [MethodName: JSONCursor] = [:]
        for method in methods { results[method] = try exchange.ask(method) }
        if methods.contains(.sourceList), results[.sourceList]?[.sources]?.kind != .array {
            throw ClientError(.protocolViolated, "searchd answered source/list without sources")
        }
        self.init(hello: results[.hello], stats: results[.stats], list: results[.sourceList], clock: clock)
    }

    package var version: String { VisibleText.visible(hello?[.version]?.string ?? "of unknown version") }
    var userID: UInt32? { hello?[.uid]?.int.flatMap { UInt32(exactly: $0) } }
    /// In seconds.
    package var uptime: Double { stats?[.uptime]?.double ?? 0 }
    package var uptimeText: String { "up \(NumberText.time(milliseconds: uptime * 1000))" }

    package var enabled: [SourceEntry] { sources.filter(\.isEnabled) }
    /// The sources to test: one source of each account, without sources that are known to fail.
    var triable: [String] {
        enabled.filter { $0.whySpared == nil && !$0.isTroubled }.grouped(by: \.account).map { $0.elements[0].name }
    }
    var accounts: [KeyAccount] { KeyAccount.all(in: sources) }

    package var quotas: [QuotaEntry] {
        var labels: Set<String> = []
        return enabled.flatMap(\.quotas).filter { labels.insert($0.label).inserted }
            .sorted { $0.usedShare > $1.usedShare }
    }

    var errors: [ErrorEntry] { (stats?[.errors]?.elements ?? []).map { ErrorEntry($0, now: clock.now) } }

    package var activity: [(title: String, rows: [(name: String, text: String)])] {
        let clients = (stats?[.clients]?.elements ?? []).compactMap(ClientRow.row)
        return [
            ("Recent errors", errors.map { ($0.age, "\($0.source): \($0.what)") }),
            ("Working for", clients),
        ]
    }

    package var json: [UInt8] {
        JSONWriter.bytes { writer in
            writer.member(.health, health.word)
            writer.name(.server)
            writer.raw(hello?.text ?? [])
            for (name, value) in stats?.members ?? [] {
                writer.name(name)
                writer.raw(value.text)
            }
            writer.array(.sources) { writer in for source in sources { writer.raw(source.json.text) } }
        }
    }
}

extension Context {
    /// The daemon's state without its sources, or nil if the daemon does not answer.
    var librarySnapshot: DaemonSnapshot? {
        (try? Connector(self).ask(.stats)).map { DaemonSnapshot(stats: $0, clock: clock) }
    }
}

extension Sequence {
    func grouped<Key: Equatable>(by key: (Element) -> Key) -> [(key: Key, elements: [Element])] {
        var groups: [(key: Key, elements: [Element])] = []
        for element in self {
            let key = key(element)
            if let known = groups.firstIndex(where: { $0.key == key }) {
                groups[known].elements.append(element)
            } else {
                groups.append((key, [element]))
            }
        }
        return groups
    }
}

extension DaemonConnection {
    mutating func savedCount() throws(ClientError) -> Int? {
        do throws(ClientError) {
            let params = JSONWriter.bytes { $0.member(.limit, 1) }
            return try ask(.libraryList, params: params)[.total]?.int
        } catch  where ![.interrupted, .connectionLost].contains(error.code) {
            return nil
        }
    }
}

struct ErrorEntry: Equatable {
    let source: String
    let kind: String
    let count: Int
    let seconds: Int64?

    init(_ entry: JSONCursor, now: Int64) {
        source = VisibleText.visible(entry[.source]?.string ?? "?")
        kind = entry[.kind]?.string ?? "?"
        count = entry[.count]?.int ?? 1
        seconds = entry[.last]?.string.flatMap(RFC3339.epochSeconds).map { max(0, now - $0) }
    }

    var age: String {
        guard let seconds else { return "" }
        return seconds < 1 ? "now" : NumberText.time(milliseconds: Double(seconds) * 1000) + " ago"
    }

    var what: String { SourceFailure.words(kind) + (count > 1 ? " ×\(NumberText.grouped(count))" : "") }
}

enum ClientRow {
    static func row(_ client: JSONCursor) -> (name: String, text: String)? {
        let doing = (client[.doing]?.elements ?? []).map(work)
        let process = "process \(client[.pid]?.int.map(String.init) ?? "?")"
        let who = [client[.program]?.string, process, client[.uid]?.int.map { "user \($0)" }]
        let name = VisibleText.visible(who.compactMap(\.self).joined(separator: ", "))
        return doing.isEmpty ? nil : (name, VisibleText.visible(doing.joined(separator: ", ")))
    }

    private static func work(_ work: JSONCursor) -> String {
        let count = work[.count]?.int ?? 1
        let age = work[.age]?.double.map { " for \(NumberText.time(milliseconds: $0))" } ?? ""
        return (count > 1 ? "\(NumberText.grouped(count)) " : "") + (work[.method]?.string ?? "?") + age
    }
}
