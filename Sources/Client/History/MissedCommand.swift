import Glibc
import JSON
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

/// The searches that could not ask their sources while there was no network: a file of the user's own, which survives
/// the session.
///
/// As text a JSON line for each, the latest last: the words of its command line behind `search`.
struct MissedSearches {
    static let countMax = 100
    private static let bytesMax = 1 << 20

    private let directory: String
    private var file: String { directory + "/missed" }

    /// Nil without a directory of the user's own for such a thing.
    init?(_ context: Context) {
        let home = context.environment.directory("HOME").map { $0 + "/.local/state" }
        guard let base = context.environment.directory("XDG_STATE_HOME") ?? home else { return nil }
        directory = base + "/searchctl"
    }

    /// The words of each, the latest last.
    var all: [[String]] {
        let lines = (StateFile.contents(of: file, bytesMax: Self.bytesMax) ?? []).split(separator: UInt8(ascii: "\n"))
        return lines.compactMap { line in
            let words = (try? JSONDocument(Array(line), limits: .wire).root)?.elements.compactMap(\.string)
            return words.flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    /// Remembers a search as the latest; the oldest of too many is forgotten.
    func add(_ words: [String]) {
        write(Array((all.filter { !Self.isSame($0, words) } + [words]).suffix(Self.countMax)))
    }

    func remove(_ words: [String]) {
        let all = all
        let rest = all.filter { !Self.isSame($0, words) }
        if rest.count < all.count { write(rest) }
    }

    func remove(where isRemoved: ([String]) -> Bool) {
        let all = all
        let rest = all.filter { !isRemoved($0) }
        if rest.count < all.count { write(rest) }
    }

    private func write(_ all: [[String]]) {
        guard !all.isEmpty else {
            // The path lives through the call.
            _ = unsafe unlink(file)
            return
        }
        var text: [UInt8] = []
        for words in all {
            var writer = JSONWriter()
            writer.array { writer in for word in words { writer.string(word) } }
            text += writer.bytes + [UInt8(ascii: "\n")]
        }
        StateFile.replace("missed", in: directory, with: text)
    }

    private static func isSame(_ left: [String], _ right: [String]) -> Bool {
        left.map { ExactText($0) } == right.map { ExactText($0) }
    }
}
