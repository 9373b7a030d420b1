import EventLoop
package import JSON
import RPC
import SearchModel

/// The answer to a request for one item.
package struct ItemRecord {
    package let hit: JSONCursor
    /// True if `hit` is the source's full record, false if it is only a hit of a search.
    package let isFull: Bool
    package let isNew: Bool
    /// Seconds since the hit was fetched.
    package let age: Double
    package let isSaved: Bool
    package let failure: ClientError?

    package init?(_ result: JSONCursor) {
        guard let hit = result[.hit] else { return nil }
        self.hit = hit
        isFull = result[.full]?.bool ?? false
        isNew = result[.cache]?.word(CacheUse.self).map { !$0.isCached } ?? false
        age = result[.age]?.double ?? 0
        isSaved = result[.saved]?.bool ?? false
        failure = result[.error].map(RemoteFailure.read)
    }
}

/// The command `searchctl show`, which prints the details of items.
enum ShowCommand {
    private static let margin = Duration.seconds(5)

    private struct Shown {
        let id: String
        let found: JSONCursor?
        var record: ItemRecord?
        var saved: JSONCursor?
        var failure: ClientError?

        var hit: JSONCursor? { record?.hit ?? saved ?? found }

        var json: [UInt8] {
            guard let hit else { return [] }
            let additions = [(found, [Member.alsoFrom]), (saved, SavedMembers.additions)].flatMap { item, members in
                members.compactMap { member in
                    hit[member] == nil ? item?[member].map { JSONMember(member, $0.value) } : nil
                }
            }
            return Array(hit.adding(additions).text)
        }
    }

    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        let console = context.console
        let format = try HitFormat.chosen(context)
        try context.arguments.refuseSeveral(of: .fresh, .maxAge)
        try context.arguments.refuseSeveral(of: .fresh, .offline)
        let selection = SavedItemPrefix(context).selection(hitsMax: HitSelection.shownMax, isLenient: true)
        var items = try selection.items(context.arguments.words).map { Shown(id: $0.id, found: $0.hit) }
        let mayShow = SearchNotices(context, format).mayShowProgress(context.environment)
        let progress = ProgressLine(console: console, isOn: mayShow, patience: ProgressLine.patience)
        do throws(ClientError) {
            items = try Connector(context).withExchange { exchange throws(ClientError) in
                try ask(items, context.arguments, &exchange, progress)
            }
        } catch {
            guard items.allSatisfy({ $0.found != nil }), error.isOfDaemon else { throw error }
            for index in items.indices { items[index].failure = error }
        }
        progress.clear()
        try print(items.filter { $0.hit != nil }, as: format, context)
        let missing = items.first { $0.hit == nil }?.failure
        var reported: Set<ExactText> = []
        for failure in context.arguments.has(.quiet) ? [missing].compactMap(\.self) : items.compactMap(\.failure) {
            let line = FailureText.line(failure)
            if reported.insert(ExactText(line)).inserted { console.report(line) }
        }
        return missing.map { ExitStatus(of: $0) } ?? .found
    }

    private static func ask(
        _ items: [Shown],
        _ arguments: Arguments,
        _ exchange: inout DaemonConnection,
        _ progress: ProgressLine
    ) throws(ClientError) -> [Shown] {
        let sources = Set(items.map { ExactText(String($0.id.prefix { $0 != ":" })) }).map(\.text).sorted()
        progress.show("asking \(NumberText.names(sources))…")
        for (index, item) in items.enumerated() {
            let lookup = params(item.id, arguments)
            try exchange.send(line: RequestLine.request(index, .lookup, params: lookup))
            let get = JSONWriter.bytes { $0.member(.id, item.id) }
            try exchange.send(line: RequestLine.request(items.count + index, .libraryGet, params: get))
        }
        let timeout = arguments.duration(.timeout) ?? CommandLineSearch.timeoutDefault
        let deadline = Instant.now.advanced(by: timeout + margin)
        var items = items
        var left = 2 * items.count
        while left > 0 {
            guard let line = try progress.nextLine(of: &exchange, until: deadline) else { throw Connector.lost }
            switch try Message.read(line) {
            case .result(let id, let result) where items.indices.contains(id):
                items[id].record = ItemRecord(result)
                items[id].failure = items[id].record.map(\.failure) ?? Message.violated("an answer without a hit")
            case .result(let id, let result) where items.indices.contains(id - items.count):
                items[id - items.count].saved = result[.item]
            case .failure(let id?, let error) where error.code != .init(.shuttingDown):
                if items.indices.contains(id) { items[id].failure = error }
            case .failure(id: _, let error): throw error
            case .result, .notification: continue
            }
            left -= 1
        }
        for index in items.indices where items[index].saved != nil {
            // A saved item may come from a source that this machine does not have.
            let code = items[index].failure?.code
            if code == .init(.notFound) || code == .init(.unknownSource) { items[index].failure = nil }
        }
        return items
    }

    private static func params(_ id: String, _ arguments: Arguments) -> [UInt8] {
        func flag(_ option: CommandOption) -> Bool? { arguments.has(option) ? true : nil }
        return JSONWriter.bytes { writer in
            writer.member(.id, id)
            writer.member(.maxAge, arguments.maxAge)
            writer.member(.offline, flag(.offline))
            writer.member(.timeout, arguments.duration(.timeout).map { Int($0.milliseconds) })
            writer.member(.raw, flag(.raw))
            writer.member(.private, flag(.isPrivate))
        }
    }

    private static func print(_ items: [Shown], as format: HitFormat, _ context: Context) throws(ClientError) {
        let itemText = ItemText(columns: context.console.columns, style: context.style, zone: context.zone)
        var texts: [String] = []
        for (index, item) in items.enumerated() {
            guard let hit = item.hit else { continue }
            switch format {
            case .json: try context.console.print(json: item.json[...])
            case .lines(let format): try context.console.print(format.text(hit, number: index + 1, zone: context.zone))
            case .text: texts.append(itemText.text(hit, item.record, found: item.found, saved: item.saved))
            }
        }
        let text = texts.joined(separator: "\n")
        if !text.isEmpty { try context.console.print(paged: text, context, mayPage: !context.arguments.has(.noPager)) }
    }
}

extension ClientError {
    fileprivate var isOfDaemon: Bool {
        [.noDaemon, .connectionLost, .silent, .protocolViolated, .init(.timeout), .init(.overloaded)].contains(code)
            || code == .init(.shuttingDown)
    }
}

extension CommandOption {
    static let ofShow = [
        fresh, maxAge, offline, timeout, isPrivate, json, plain, format, field, noPager, quiet, raw,
    ]
}
