import JSON
import RPC
import SearchModel

/// `searchctl library export`: prints saved items in a format for other programs.
enum ExportCommand {
    static let pageItemsMax = 500

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let format = try format(arguments)
        var written = 0
        var omitted: [String: Int] = [:]
        do throws(ClientError) {
            var exchange = try Connector(arguments, context).connect()
            exchange.print(format.opening.utf8)
            var cursor: String?
            repeat {
                let params = JSONWriter.bytes { writer in
                    LibraryFilter.write(arguments, to: &writer)
                    writer.member(.sort, "saved")
                    writer.member(.limit, pageItemsMax)
                    writer.member(.cursor, cursor)
                }
                let page = try exchange.ask(.libraryList, params: params)
                for item in page[.items]?.elements ?? [] {
                    let entry = LibraryEntry(item)
                    if let reason = format.omission(entry) {
                        omitted[reason, default: 0] += 1
                        continue
                    }
                    written += 1
                    if format == .ndjson {
                        exchange.print(json: item.text)
                    } else {
                        exchange.print(shown(format.text(entry), context).utf8)
                    }
                }
                try exchange.flush()
                cursor = page[.next]?.string
            } while cursor != nil
            exchange.print(format.closing.utf8)
            try exchange.flush()
        } catch {
            throw OptionWords.translate(error)
        }
        for (reason, count) in omitted {
            context.console.report("\(FigureText.count(count, "item")) left out: \(reason).")
        }
        if written == 0, omitted.isEmpty { context.console.report(LibraryFilter.nothing(arguments)) }
        return written > 0 ? .found : .nothingFound
    }

    private static func format(_ arguments: Arguments) throws(ClientError) -> ExportFormat {
        let name = arguments.text(.libraryFormat)
        if arguments.has(.json), let name {
            throw ClientError(.usage, "--json and --format \(name) exclude each other")
        }
        guard let name, name != "json" else { return .ndjson }
        guard let format = ExportFormat(rawValue: name) else {
            let hint = "The formats are \(ExportFormat.names.joined(separator: ", "))."
            throw ClientError(.usage, "“library export” has no format \(name)", hint: hint)
        }
        return format
    }

    /// Returns the text, with control characters escaped on a terminal.
    private static func shown(_ text: String, _ context: Context) -> String {
        guard context.console.outputIsTerminal else { return text }
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.map { line in
            let isEnded = line.last == UInt8(ascii: "\r")
            return VisibleText.visible(String(Substring(isEnded ? line.dropLast() : line)))
        }.joined(separator: "\n")
    }
}
