import JSON
import RPC
import SearchModel

/// The command `searchctl library export`, which prints saved items in a format for other programs.
enum ExportCommand {
    static let pageItemsMax = 500

    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        let format = try format(context.arguments)
        var written = 0
        var omitted = 0
        do throws(ClientError) {
            var exchange = try Connector(context).connect()
            exchange.print(format.opening.utf8)
            var cursor: String?
            repeat {
                let params = JSONWriter.bytes { writer in
                    LibraryFilter.write(context.arguments, to: &writer)
                    writer.member(.sort, "saved")
                    writer.member(.limit, pageItemsMax)
                    writer.member(.cursor, cursor)
                }
                let page = try exchange.ask(.libraryList, params: params)
                for item in page[.items]?.elements ?? [] {
                    let text = format.text(item, zone: context.zone)
                    if text == nil { omitted += 1 } else { written += 1 }
                    exchange.print(shown(text ?? "", context).utf8)
                }
                try exchange.flush()
                cursor = page[.next]?.string
            } while cursor != nil
            exchange.print(format.closing.utf8)
            try exchange.flush()
        } catch {
            throw OptionWords.translate(error)
        }
        if omitted > 0 {
            context.console.report("\(NumberText.count(omitted, "item")) left out: a bookmark needs a web address.")
        }
        if written == 0, omitted == 0 { context.console.report(LibraryFilter.nothing(context.arguments)) }
        return written > 0 ? .found : .nothingFound
    }

    private static func format(_ arguments: Arguments) throws(ClientError) -> ExportFormat {
        try arguments.refuseSeveral(of: .json, .libraryFormat)
        guard let name = arguments.text(.libraryFormat), name != "json" else { return .ndjson }
        guard let format = ExportFormat(rawValue: name) else {
            let formats = "The formats are \(ExportFormat.names.joined(separator: ", "))."
            let hint = RemovedWord.replacement(of: "--format \(name)", in: nil) ?? formats
            throw ClientError(.usage, "“library export” has no format \(name)", hint: hint)
        }
        return format
    }

    private static func shown(_ text: String, _ context: Context) -> String {
        guard context.console.outputIsTerminal else { return text }
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.map { line in
            let isEnded = line.last == UInt8(ascii: "\r")
            return VisibleText.visible(String(Substring(isEnded ? line.dropLast() : line)))
        }.joined(separator: "\n")
    }
}
