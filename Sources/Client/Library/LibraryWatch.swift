import EventLoop
import JSON
import RPC
import SearchModel

/// `searchctl library --watch`: every change of the library, until it is interrupted.
enum LibraryWatch {
    private static let retryPause = Duration.seconds(1)

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let printer = ChangePrinter(
            isJSON: try HitFormat.chosen(arguments, outputIsTerminal: context.console.outputIsTerminal) != .text,
            console: context.console
        )
        if context.console.errorsIsTerminal {
            context.console.report("Changes are printed as they come; Ctrl-C ends it.")
        }
        var followed = Followed()
        var connector = try Connector(arguments, context)
        while true {
            do throws(ClientError) {
                try connector.withExchange { exchange throws(ClientError) in
                    try follow(&exchange, &followed, printer)
                }
            } catch {
                let isGone = error.code == .noDaemon || followed.isOn && isLost(error)
                guard let path = followed.path, isGone else { throw LibraryCall.inWords(error) }
                followed.isOn = false
                // It goes on where it stopped, with the daemon that listens there next: another would have another library.
                connector = try Connector(arguments, context, socket: path, starting: .nothing)
                if error.code == .noDaemon { try wait(&followed, context.console) }
            }
        }
    }

    /// How far it has come.
    private struct Followed {
        /// Where the daemon listens; nil before the first one.
        var path: String?
        var revision: Int?
        /// Whether this connection is subscribed.
        var isOn = false
        var isWaiting = false
    }

    private static func isLost(_ error: ClientError) -> Bool {
        error.code == .connectionLost || error.code == .init(.shuttingDown)
    }

    /// Waits a while for a daemon that is gone, which nothing here starts again.
    private static func wait(_ followed: inout Followed, _ console: Console) throws(ClientError) {
        if !followed.isWaiting, console.errorsIsTerminal { console.report("searchd is gone; waiting for it.") }
        followed.isWaiting = true
        let came = try Transfers.wait(for: console.interrupt, until: Instant.now.advanced(by: retryPause))
        guard !came[0] else { throw ClientError(.interrupted, "interrupted") }
    }

    private static func follow(
        _ exchange: inout DaemonConnection,
        _ followed: inout Followed,
        _ printer: ChangePrinter
    ) throws(ClientError) {
        // Only what changes from now on is of interest, not what there is.
        let known = if let revision = followed.revision { revision } else { try current(&exchange) }
        let params = JSONWriter.bytes { $0.member(.since, known) }
        let begun = try exchange.ask(.libraryWatch, params: params, within: LibraryCall.timeoutSeconds)
        followed.path = exchange.path
        (followed.isOn, followed.isWaiting) = (true, false)
        if begun[.revision]?.int != known || begun[.items] != nil { try printer.print(begun) }
        followed.revision = begun[.revision]?.int ?? 0
        while let line = try exchange.nextLine() {
            guard case .notification(let method, let change?) = try Message.read(line),
                NotificationName(exactly: method) == .libraryChanged
            else { continue }
            try printer.print(change)
            followed.revision = change[.revision]?.int ?? followed.revision
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
                let parts = [sign, text.name, "(\(text.id))", news(of: item), text.additions]
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
