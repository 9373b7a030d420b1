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
            var hasBegun = false
            do throws(ClientError) {
                try Connector(arguments, context).withExchange { exchange throws(ClientError) in
                    try follow(&exchange, &revision, &hasBegun, printer)
                }
            } catch {
                // It goes on where it stopped, with the daemon that is there next.
                guard hasBegun, error.code == .connectionLost || error.code == .init(.shuttingDown) else {
                    throw LibraryCall.inWords(error)
                }
            }
        }
    }

    private static func follow(
        _ exchange: inout DaemonConnection,
        _ revision: inout Int?,
        _ hasBegun: inout Bool,
        _ printer: ChangePrinter
    ) throws(ClientError) {
        // Only what changes from now on is of interest, not what there is.
        let known = if let revision { revision } else { try current(&exchange) }
        let params = JSONWriter.bytes { $0.member(.since, known) }
        let begun = try exchange.ask(.libraryWatch, params: params, within: LibraryCall.timeoutSeconds)
        hasBegun = true
        if begun[.revision]?.int != known || begun[.items] != nil { try printer.print(begun) }
        revision = begun[.revision]?.int ?? 0
        while let line = try exchange.nextLine() {
            guard case .notification(let method, let change?) = try Message.read(line),
                NotificationName(exactly: method) == .libraryChanged
            else { continue }
            try printer.print(change)
            revision = change[.revision]?.int ?? revision
        }
        throw Connector.lost
    }

    private static func current(_ exchange: inout DaemonConnection) throws(ClientError) -> Int {
        let params = JSONWriter.bytes { $0.member(.limit, 1) }
        return try exchange.ask(.libraryList, params: params, within: LibraryCall.timeoutSeconds)[.revision]?.int ?? 0
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
        // A client that was away too long learns what there is, but not what is different.
        if change[.reset]?.bool == true || change[.items] != nil {
            return ["! more has changed than can be told: see “searchctl library”"]
        }
        func items(_ member: Member, _ sign: String) -> [String] {
            (change[member]?.elements ?? []).map { item in
                let text = SavedText(item)
                let parts = [sign, text.name, "(\(VisibleText.visible(text.id)))", news(of: item), text.additions]
                return parts.filter { !$0.isEmpty }.joined(separator: " ")
            }
        }
        let deleted = (change[.deleted]?.elements ?? []).compactMap(\.string).map { "- " + VisibleText.visible($0) }
        return items(.inserted, "+") + items(.updated, "~") + deleted
    }

    /// What looking an item up has just changed; empty when something else has.
    private static func news(of item: JSONCursor) -> String {
        guard let change = SavedText(item).lastChange, item[.updatedAt]?.string?.hasSameBytes(as: change.at) == true
        else { return "" }
        return VisibleText.visible(change.text)
    }
}
