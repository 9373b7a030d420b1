import EventLoop
import JSON
import RPC
import SearchModel

/// `searchctl library --watch`: every change of the library, until it is interrupted.
enum LibraryWatch {
    private static let retryPause = Duration.seconds(1)
    private static let pageItemsMax = 1000
    /// Of a larger library only the items that were saved last are listed.
    private static let namesMax = 10_000

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        var printer = ChangePrinter(
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
                    try follow(&exchange, &followed, &printer)
                }
            } catch {
                let isGone = error.code == .noDaemon || followed.isOn && isLost(error)
                guard let path = followed.path, isGone else { throw LibraryCall.inWords(error) }
                followed.isOn = false
                // It goes on where it stopped, with the daemon that listens there next: another would have another
                // library.
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
        _ printer: inout ChangePrinter
    ) throws(ClientError) {
        // Only what changes from now on is of interest, not what there is.
        let known = if let revision = followed.revision { revision } else { try current(&exchange, &printer) }
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

    /// The library's revision; for people it is also listed, so that what is removed later has a title.
    ///
    /// What changes while it is listed comes as a change, since the revision is that of the first page.
    private static func current(
        _ exchange: inout DaemonConnection,
        _ printer: inout ChangePrinter
    ) throws(ClientError) -> Int {
        var revision: Int?
        var cursor: String?
        repeat {
            let params = JSONWriter.bytes { writer in
                writer.member(.limit, printer.isJSON ? 1 : pageItemsMax)
                writer.member(.cursor, cursor)
            }
            let page = try exchange.ask(.libraryList, params: params, within: LibraryCall.timeoutSeconds)
            printer.learn(page[.items])
            revision = revision ?? page[.revision]?.int
            cursor = page[.next]?.string
        } while cursor != nil && !printer.isJSON && printer.names.count < namesMax
        return revision ?? 0
    }
}

/// Changes as they are printed.
struct ChangePrinter {
    let isJSON: Bool
    let console: Console
    /// What the items are called that it has seen, by their ids: of one that is removed the daemon tells no more than
    /// that.
    private(set) var names: [ExactText: String] = [:]

    init(isJSON: Bool, console: Console) {
        self.isJSON = isJSON
        self.console = console
    }

    mutating func print(_ change: JSONCursor) throws(ClientError) {
        if isJSON { return try Printer(console).print(json: change.text) }
        try Printer(console).print(lines(of: change).map { $0 + "\n" }.joined())
    }

    /// Notes what items are called.
    mutating func learn(_ items: JSONCursor?) {
        guard !isJSON else { return }
        for item in items?.elements ?? [] {
            if let id = item[.id]?.string { names[ExactText(id)] = SavedText(item).name }
        }
    }

    /// A line for each item that was saved (+), changed (~) or removed (-).
    mutating func lines(of change: JSONCursor) -> [String] {
        for member in [Member.items, .inserted, .updated] { learn(change[member]) }
        // A client that was away too long learns what there is, but not what is different.
        if change[.reset]?.bool == true || change[.items] != nil {
            return ["! more has changed than can be told: see “searchctl library”"]
        }
        func items(_ member: Member, _ sign: String) -> [String] {
            (change[member]?.elements ?? []).map { item in
                let text = SavedText(item)
                let parts = [sign, text.name, "(\(text.id))", Self.news(of: item), text.additions]
                return parts.filter { !$0.isEmpty }.joined(separator: " ")
            }
        }
        let deleted = (change[.deleted]?.elements ?? []).compactMap(\.string).map { id in
            let shown = VisibleText.visible(id)
            return names.removeValue(forKey: ExactText(id)).map { "- \($0) (\(shown))" } ?? "- \(shown)"
        }
        return items(.inserted, "+") + items(.updated, "~") + deleted
    }

    /// What looking an item up has just changed; empty when something else has.
    private static func news(of item: JSONCursor) -> String {
        guard let change = SavedText(item).lastChange, item[.updatedAt]?.string?.hasSameBytes(as: change.at) == true
        else { return "" }
        return VisibleText.visible(change.text)
    }
}
