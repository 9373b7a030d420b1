import JSON
import RPC
import SearchModel

/// `searchctl library export`: all that is saved, or the part that options name, for other programs.
enum ExportCommand {
    /// What is written and what is not.
    private struct Tally {
        var written = 0
        var omitted: [ExportFormat.Omission: Int] = [:]
    }

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let format = try format(arguments)
        let tally: Tally
        do throws(ClientError) {
            tally = try Connector(arguments, context).withExchange { exchange throws(ClientError) in
                try export(as: format, arguments, context, &exchange)
            }
        } catch {
            throw LibraryCall.inWords(error)
        }
        for (omission, count) in tally.omitted.sorted(by: { $0.key.reason < $1.key.reason }) {
            context.console.report("\(FigureText.count(count, "item")) left out: \(omission.reason).")
        }
        if tally.written == 0, tally.omitted.isEmpty { context.console.report(LibraryFilter.nothing(arguments)) }
        return tally.written > 0 ? .found : .nothingFound
    }

    /// What is asked for; `json` is another name of ndjson.
    private static func format(_ arguments: Arguments) throws(ClientError) -> ExportFormat {
        let name = arguments.text(.libraryFormat)
        if arguments.has(.json), let name {
            throw ClientError(.usage, "--json and --format \(name) exclude each other")
        }
        guard let name, name != "json" else { return .ndjson }
        guard let format = ExportFormat(rawValue: name) else {
            throw ClientError(
                .usage,
                "a library is not exported as \(name)",
                hint: "The formats are \(ExportFormat.names.joined(separator: ", "))."
            )
        }
        return format
    }

    private static func export(
        as format: ExportFormat,
        _ arguments: Arguments,
        _ context: Context,
        _ exchange: inout DaemonConnection
    ) throws(ClientError) -> Tally {
        var pages = ExportPages()
        var tally = Tally()
        var isOpen = false
        while let (offset, limit) = pages.next {
            let params = JSONWriter.bytes { writer in
                LibraryFilter.write(arguments, to: &writer)
                writer.member(.sort, "saved")
                writer.member(.offset, offset)
                writer.member(.limit, limit)
            }
            let page = try exchange.ask(.libraryList, params: params, within: LibraryCall.timeoutSeconds)
            let items = try pages.received(page)
            if !isOpen { exchange.print(format.opening.utf8) }
            isOpen = true
            for item in items {
                if format == .ndjson {
                    tally.written += 1
                    exchange.print(json: item.text)
                } else {
                    let entry = LibraryEntry(item)
                    if let omission = format.omission(entry) {
                        tally.omitted[omission, default: 0] += 1
                    } else {
                        tally.written += 1
                        exchange.print(shown(format.text(entry), context).utf8)
                    }
                }
            }
            try exchange.flush()
        }
        exchange.print(format.closing.utf8)
        try exchange.flush()
        return tally
    }

    /// On a terminal, with what could drive it written out.
    private static func shown(_ text: String, _ context: Context) -> String {
        guard context.console.outputIsTerminal else { return text }
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.map { line in
            let isEnded = line.last == UInt8(ascii: "\r")
            return VisibleText.visible(String(Substring(isEnded ? line.dropLast() : line)))
        }.joined(separator: "\n")
    }
}

/// Walks a library from its oldest item to its newest, page by page from the end of the list; pure.
///
/// That order makes the library that imports it list its items as this one does. A page takes in the item that was
/// written last, which shows that nothing has moved; what is saved meanwhile comes at the end.
struct ExportPages {
    static let itemsMax = 500
    /// How often in a row the library may change between two requests.
    private static let changesMax = 20

    private var total: Int?
    private var taken = 0
    private var last: String?
    private var pageItems = itemsMax
    private var changes = 0

    /// The part of the list to ask for; nil when all of it is written.
    var next: (offset: Int, limit: Int)? {
        guard let total else { return (0, 1) }
        let count = min(pageItems, total - taken)
        return count > 0 ? (total - taken - count, count + (last == nil ? 0 : 1)) : nil
    }

    /// Takes the part that was asked for.
    ///
    /// - Returns: The items to write now, the oldest first; none when it must be asked for again.
    /// - Throws: When items were removed meanwhile, so that the rest can't be told from what is written.
    mutating func received(_ page: JSONCursor) throws(ClientError) -> [JSONCursor] {
        guard let asked = next else { return [] }
        let items = page[.items]?.elements ?? []
        let count = page[.total]?.int ?? 0
        guard count == total else {
            if total != nil { changes += 1 }
            guard changes <= Self.changesMax, count >= taken else { throw Self.changed }
            total = count
            return []
        }
        guard items.count == asked.limit else {
            // It was cut where it had too many bytes.
            guard pageItems > 1 else { throw Self.changed }
            pageItems = max(1, min(items.count, pageItems) / 2)
            return []
        }
        if let last, items.last?[.id]?.string?.hasSameBytes(as: last) != true { throw Self.changed }
        let new = Array((last == nil ? items : items.dropLast()).reversed())
        last = new.last?[.id]?.string
        taken += new.count
        changes = 0
        return new
    }

    private static let changed = ClientError(
        .init(.unavailable),
        "the library was changed while it was exported, and what is printed is not all of it",
        hint: "Export it again."
    )
}
