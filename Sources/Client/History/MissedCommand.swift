import SearchModel

/// `searchctl again --missed`: asks what could not be asked while there was no network.
///
/// Each search asks in the background, so that it holds up no other; what it brings is cached and seen. One that some
/// source still does not answer stays, and so does one that a lost daemon or Ctrl-C stops.
enum MissedCommand {
    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        guard !arguments.has(.offline) else {
            throw ClientError(.usage, "--missed and --offline exclude each other")
        }
        let store = MissedSearches(context)
        let all = store?.all ?? []
        guard let store, !all.isEmpty else {
            if !arguments.has(.quiet) { context.console.report("No search was missed.") }
            return .nothingFound
        }
        var status = ExitStatus.nothingFound
        var left = 0
        for (index, words) in all.enumerated() {
            guard let last = try? AgainCommand.arguments(of: LastSearch(words: words, firstNumber: 1, hits: [])) else {
                store.remove(words)
                continue
            }
            let search = AgainCommand.merged(last.without([.offline]), with: arguments)
            let isForPeople = try HitFormat.chosen(search, outputIsTerminal: context.console.outputIsTerminal) == .text
            if isForPeople, !arguments.has(.quiet) {
                let query = VisibleText.visible(search.words.joined(separator: " "))
                let number = all.count > 1 ? "\(index + 1) of \(all.count): " : ""
                try Printer(context.console).print("\(number)\(query)\n")
            }
            let outcome = try SearchCommand(search, context).outcome()
            if outcome.status == .found || status == .nothingFound { status = outcome.status }
            if outcome.isMissed || outcome.isIncomplete { left += 1 } else { store.remove(words) }
        }
        guard left > 0 else { return status }
        if !arguments.has(.quiet) {
            let searches = left == 1 ? "1 search is" : "\(left) searches are"
            context.console.report("\(searches) still incomplete; “searchctl again --missed” asks once more.")
        }
        return .tryLater
    }
}

extension CommandOption {
    static let missed = CommandOption(
        "missed",
        help: "what was not asked while offline",
        manual: "Each search that “search --offline”, or one without a network, could not ask of all its sources, "
            + "asked now in the background class, and forgotten once all of them have answered."
    )
}
