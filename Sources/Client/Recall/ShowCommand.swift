import JSON
import RPC
import SearchModel

/// `searchctl show ID…`: all that is known of an item; what a search found of it when its record can't be had.
enum ShowCommand {
    /// An item on its way to the screen.
    private struct Shown {
        let hit: JSONCursor
        /// Nil when the daemon said nothing of it.
        var record: ItemRecord?
        /// What the last search found of it.
        var found: JSONCursor?
        /// The library's item; nil when it is not saved.
        var saved: JSONCursor?

        /// The hit, with what the user has added to it.
        var whole: [UInt8] {
            guard let saved, hit[.savedAt] == nil else { return Array(hit.text) }
            let additions = SavedMembers.additions.compactMap { member in
                saved[member].map { JSONMember(member, $0.value) }
            }
            return JSONValue.object((hit.value.members ?? []) + additions).bytes
        }
    }

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let console = context.console
        let format = try HitFormat.chosen(arguments, outputIsTerminal: console.outputIsTerminal)
        let question = try ItemQuestion(arguments)
        let saved = SavedBeginning(arguments: arguments, context: context)
        let items = try HitSelection(LastSearchStore.all(context), saved: saved.itemIfAny).items(arguments.words)
        let outcomes: [Result<ItemRecord, ClientError>]
        do throws(ClientError) {
            let mayShow = SearchNotices(arguments, format, console).mayShowProgress(context.environment)
            let progress = ProgressLine(console: console, isOn: mayShow, patience: ProgressLine.patience)
            outcomes = try question.ask(items.map(\.id), Connector(arguments, context), progress)
        } catch {
            // Without a daemon there is still what the last search kept.
            guard !items.contains(where: { $0.hit == nil }), error.isOfDaemon else { throw error }
            outcomes = items.map { _ in .failure(error) }
        }
        let savedItems = savedItems(of: items, outcomes, arguments, context)
        var failures: [ClientError] = []
        var missing: ClientError?
        var shown: [Shown] = []
        for ((item, outcome), saved) in zip(zip(items, outcomes), savedItems) {
            switch outcome {
            case .success(let record):
                if let failure = record.failure { failures.append(failure) }
                shown.append(Shown(hit: record.hit, record: record, found: item.hit, saved: saved))
            case .failure(let failure):
                // What is saved may come from a source that is none here.
                let isOwn = saved != nil && [.init(.notFound), .init(.unknownSource)].contains(failure.code)
                if !isOwn { failures.append(failure) }
                if let hit = saved ?? item.hit {
                    shown.append(Shown(hit: hit, saved: saved))
                } else {
                    missing = missing ?? failure
                }
            }
        }
        try print(shown, as: format, arguments, context)
        report(failures, missing, arguments, context)
        if let missing { return ExitStatus(of: missing) }
        try MissingField.tell(format, shown.map(\.hit), report: context.console.report)
        return .found
    }

    /// The library's item of each that is saved, or that can't be looked up.
    private static func savedItems(
        of items: [HitSelection.Item],
        _ outcomes: [Result<ItemRecord, ClientError>],
        _ arguments: Arguments,
        _ context: Context
    ) -> [JSONCursor?] {
        let isWanted = outcomes.map { (try? $0.get())?.isSaved ?? true }
        guard isWanted.contains(true) else { return items.map { _ in nil } }
        // What is shown is worth having without them, too.
        let found = try? Connector(arguments, context, starting: .nothing).withExchange {
            exchange throws(ClientError) in
            var saved: [JSONCursor?] = []
            for (item, isWanted) in zip(items, isWanted) {
                saved.append(try isWanted ? exchange.savedItem(item.id) : nil)
            }
            return saved
        }
        return found ?? items.map { _ in nil }
    }

    private static func print(
        _ items: [Shown],
        as format: HitFormat,
        _ arguments: Arguments,
        _ context: Context
    ) throws(ClientError) {
        let printer = Printer(context.console)
        let style = Style(
            arguments,
            environment: context.environment,
            isTerminal: context.console.outputIsTerminal
        )
        let itemText = ItemText(columns: context.console.columns, style: style, zone: context.zone)
        var text = ""
        for (index, item) in items.enumerated() {
            switch format {
            case .json: try printer.print(json: item.whole[...])
            case .lines(let format):
                try printer.print(format.text(item.hit, number: index + 1, zone: context.zone))
            case .text:
                text += index > 0 ? "\n" : ""
                text += itemText.text(item.hit, item.record, found: item.found, saved: item.saved)
            }
        }
        if !text.isEmpty { try printer.print(paged: text, context, mayPage: !arguments.has(.noPager)) }
    }

    /// Tells each failure once, since several items often have one cause.
    ///
    /// A missing item is reported even with --quiet.
    private static func report(
        _ failures: [ClientError],
        _ missing: ClientError?,
        _ arguments: Arguments,
        _ context: Context
    ) {
        var told: [String] = []
        for failure in arguments.has(.quiet) ? [missing].compactMap(\.self) : failures {
            let line = FailureText.line(failure)
            guard !told.contains(where: { $0.hasSameBytes(as: line) }) else { continue }
            told.append(line)
            context.console.report(line)
        }
    }
}

extension ClientError {
    /// Whether no daemon was reached, or it did not answer.
    fileprivate var isOfDaemon: Bool {
        [.noDaemon, .connectionLost, .protocolViolated, .init(.timeout), .init(.overloaded), .init(.shuttingDown)]
            .contains(code)
    }
}

extension CommandOption {
    static let showRaw = CommandOption(
        "raw",
        help: "the source's own document",
        manual: "Below the text, or with each hit of JSON, as raw."
    )
    static let showPrivate = CommandOption(
        "private",
        help: "no cache or log",
        manual: "Nothing of it is kept in the daemon."
    )

    static let ofShow = [
        fresh, maxAge, offline, timeout, showPrivate, json, plain, format, field, noPager, quiet, showRaw,
    ]
}
