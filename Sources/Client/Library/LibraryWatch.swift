import EventLoop
import JSON
import RPC
import SearchModel

/// `searchctl library --watch`: every change of the library, until it is interrupted.
enum LibraryWatch {
    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let printer = ChangePrinter(
            isJSON: try HitFormat.chosen(arguments, outputIsTerminal: context.console.outputIsTerminal) != .text,
            console: context.console
        )
        if context.console.errorsIsTerminal {
            context.console.report("Changes are printed as they come; Ctrl-C ends it.")
        }
        var revision: Int?
        while true {
            do throws(ClientError) {
                try Connector(arguments, context).withExchange { exchange throws(ClientError) in
                    try follow(&exchange, &revision, printer)
                }
            } catch {
                // It goes on where it stopped, with the daemon that is there next.
                guard revision != nil, error.code == .connectionLost || error.code == .init(.shuttingDown) else {
                    throw error
                }
            }
        }
    }

    private static func follow(
        _ exchange: inout DaemonConnection,
        _ revision: inout Int?,
        _ printer: ChangePrinter
    ) throws(ClientError) {
        let params = JSONWriter.bytes { $0.member(.since, revision) }
        let begun = try exchange.ask(.libraryWatch, params: params, within: LibraryCall.timeoutSeconds)
        if revision != nil { try printer.print(begun) }
        revision = begun[.revision]?.int ?? 0
        while let line = try exchange.nextLine() {
            guard case .notification(let method, let change?) = try Message.read(line),
                NotificationName(exactly: method) == .libraryChanged
            else { continue }
            try printer.print(change)
            revision = change[.revision]?.int ?? revision
        }
    }
}

/// Changes as they are printed.
struct ChangePrinter {
    let isJSON: Bool
    let console: Console

    func print(_ change: JSONCursor) throws(ClientError) {
        if isJSON { return try Printer(console).print(json: change.text) }
        try Printer(console).print(Self.lines(of: change).map { $0 + "\n" }.joined())
    }

    /// A line for each item that was saved (+), changed (~) or removed (-); pure.
    static func lines(of change: JSONCursor) -> [String] {
        if change[.reset]?.bool == true { return ["! more changes than could be shown: see “searchctl library”"] }
        func items(_ member: Member, _ sign: String) -> [String] {
            (change[member]?.elements ?? []).map { item in
                let text = SavedText(item)
                return [sign, text.name, "(\(text.id))", text.additions].filter { !$0.isEmpty }.joined(separator: " ")
            }
        }
        let deleted = (change[.deleted]?.elements ?? []).compactMap(\.string).map { "- " + VisibleText.visible($0) }
        // A client that was away learns what there is as items.
        return items(.items, "=") + items(.inserted, "+") + items(.updated, "~") + deleted
    }
}
