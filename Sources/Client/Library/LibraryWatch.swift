import EventLoop
import JSON
import RPC
import SearchModel

/// `searchctl library --watch`: prints each change of the library until it is interrupted.
enum LibraryWatch {
    private static let retryPause = Duration.seconds(1)

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let console = context.console
        let isJSON = try HitFormat.chosen(arguments, outputIsTerminal: console.outputIsTerminal) != .text
        if console.errorsIsTerminal { console.report("Prints changes as they come; Ctrl-C ends it.") }
        var revision: Int?
        var path: String?
        while true {
            var isOn = false
            do throws(ClientError) {
                // After the first connection only the same socket: another daemon has another library.
                let starting = path == nil ? Connector.Starting.any : .nothing
                let connector = try Connector(arguments, context, socket: path, starting: starting)
                try connector.withExchange { exchange throws(ClientError) in
                    path = exchange.path
                    try follow(&exchange, &revision, &isOn, isJSON, Printer(console))
                }
            } catch {
                let isLost = error.code == .connectionLost || error.code == .init(.shuttingDown)
                let isGone = error.code == .noDaemon && revision != nil
                guard isGone || (isOn && isLost) else { throw LibraryCall.inWords(error) }
                let pause = Instant.now.advanced(by: retryPause)
                let ready = try Transfers.wait(for: console.interrupt, until: isGone ? pause : .now)
                guard !ready[0] else { throw ClientError(.interrupted, "interrupted") }
            }
        }
    }

    private static func follow(
        _ exchange: inout DaemonConnection,
        _ revision: inout Int?,
        _ isOn: inout Bool,
        _ isJSON: Bool,
        _ printer: Printer
    ) throws(ClientError) {
        func show(_ change: JSONCursor) throws(ClientError) {
            if isJSON { return try printer.print(json: change.text) }
            try printer.print(lines(of: change).map { $0 + "\n" }.joined())
        }
        // Only changes from now on are printed.
        let first = JSONWriter.bytes { $0.member(.limit, 1) }
        let known =
            if let revision { revision } else {
                try exchange.ask(.libraryList, params: first)[.revision]?.int ?? 0
            }
        let begun = try exchange.ask(.libraryWatch, params: JSONWriter.bytes { $0.member(.since, known) })
        isOn = true
        if begun[.revision]?.int != known || begun[.items] != nil { try show(begun) }
        revision = begun[.revision]?.int ?? known
        while let line = try exchange.nextLine() {
            guard case .notification(let method, let change?) = try Message.read(line),
                NotificationName(exactly: method) == .libraryChanged
            else { continue }
            try show(change)
            revision = change[.revision]?.int ?? revision
        }
        throw Connector.lost
    }

    /// A line for each item that was saved (+), changed (~) or removed (-); pure.
    static func lines(of change: JSONCursor) -> [String] {
        // After a long absence the daemon no longer has the single changes.
        if change[.reset]?.bool == true || change[.items] != nil {
            return ["! too many changes to list; see “searchctl library”"]
        }
        func items(_ member: Member, _ sign: String) -> [String] {
            (change[member]?.elements ?? []).map { item in
                let text = SavedText(item)
                // The result of a refresh, if that is what has just changed.
                let last = text.lastChange.flatMap { change in
                    item[.updatedAt]?.string?.hasSameBytes(as: change.at) == true ? change.text : nil
                }
                let parts = [sign, text.name, "(\(text.id))", VisibleText.visible(last ?? ""), text.additions]
                return parts.filter { !$0.isEmpty }.joined(separator: " ")
            }
        }
        let deleted = (change[.deleted]?.elements ?? []).compactMap(\.string).map { "- \(VisibleText.visible($0))" }
        return items(.inserted, "+") + items(.updated, "~") + deleted
    }
}
