import SearchModel

/// `searchctl again --missed`: asks what could not be asked while there was no network.
///
/// Each search asks in the background, so that it holds up no other; what it brings is cached and seen. One that is missed
/// again stays.
enum MissedCommand {
    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let store = MissedSearches(context)
        let all = store?.all ?? []
        guard let store, !all.isEmpty else {
            if !arguments.has(.quiet) { context.console.report("No search was missed.") }
            return .nothingFound
        }
        var status = ExitStatus.nothingFound
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
            store.remove(words)
            do throws(ClientError) {
                let outcome = try SearchCommand.run(search, context)
                if outcome == .found || status == .nothingFound { status = outcome }
            } catch {
                // What stopped it, a lost daemon or Ctrl-C, leaves it missed.
                store.add(words)
                throw error
            }
        }
        return status
    }
}

extension CommandOption {
    static let missed = CommandOption(
        "missed",
        help: "what was not asked while offline",
        manual: "Each search that “search --offline”, or one without a network, could not ask of all its sources, "
            + "asked now in the background class and forgotten once it was."
    )
}
