import JSON
import RPC
import SearchModel

/// `searchctl library export`: all that is saved, or the part that options name, for other programs.
enum ExportCommand {
    static let pageItemsMax = 500

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

    /// Lists the latest first and prints the oldest first: the library that imports it lists its items as this one does.
    private static func export(
        as format: ExportFormat,
        _ arguments: Arguments,
        _ context: Context,
        _ exchange: inout DaemonConnection
    ) throws(ClientError) -> Tally {
        var tally = Tally()
        var texts: [[UInt8]] = []
        var cursor: String?
        repeat {
            let params = JSONWriter.bytes { writer in
                LibraryFilter.write(arguments, to: &writer)
                writer.member(.sort, "saved")
                writer.member(.limit, pageItemsMax)
                if let cursor { writer.member(.cursor, cursor) }
            }
            let page = try exchange.ask(.libraryList, params: params, within: LibraryCall.timeoutSeconds)
            page[.items]?.forEachElement { item in
                let entry = LibraryEntry(item)
                if let omission = format.omission(entry) {
                    tally.omitted[omission, default: 0] += 1
                } else {
                    let isJSON = format == .ndjson
                    texts.append(isJSON ? Array(item.text) : Array(shown(format.text(entry), context).utf8))
                }
            }
            cursor = page[.next]?.string
        } while cursor != nil
        tally.written = texts.count
        exchange.print(format.opening.utf8)
        while let text = texts.popLast() {
            if format == .ndjson { exchange.print(json: text[...]) } else { exchange.print(text) }
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
