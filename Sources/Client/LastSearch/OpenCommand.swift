import JSON
import RPC
import SearchModel

/// The command `searchctl open`, which opens hits of the last list in the browser.
enum OpenCommand {
    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        let addresses = context.arguments.words.filter(LibraryEntry.isWebAddress)
        var targets = addresses.compactMap(Style.linkTarget)
        let hits = try hits(context.arguments.words.filter { !LibraryEntry.isWebAddress($0) }, context)
        for hit in hits { targets.append(try address(of: hit)) }
        let names = addresses.map { _ in "the page" } + hits.map { SavedText($0).name }
        if context.arguments.has(.print) {
            try context.console.print(targets.map { $0 + "\n" }.joined())
            return .found
        }
        let browser = try Browser(context.environment, hasTerminal: context.console.outputIsTerminal)
        for (index, target) in targets.enumerated() {
            do throws(ClientError) {
                try browser.open(target)
            } catch {
                var failure = error
                let left = targets.count - index - 1
                if left > 0 { failure.message += "; \(NumberText.count(left, "more hit")) not tried" }
                throw failure
            }
            try context.console.print("opened \(names[index]): \(target)\n")
        }
        return .found
    }
}

extension OpenCommand {
    /// Asks the daemon for hits that are neither in the last list nor saved.
    static func hits(_ words: [String], max: Int = HitSelection.shownMax, _ context: Context) throws(ClientError)
        -> [JSONCursor]
    {
        var hits: [JSONCursor] = []
        for item in try SavedItemPrefix(context).selection(hitsMax: max, isLenient: true).items(words) {
            var hit = item.hit
            if hit == nil {
                let id = JSONWriter.bytes { $0.member(.id, item.id) }
                hit = try Connector(context).ask(.lookup, id)[.hit]
            }
            if let hit { hits.append(hit) }
        }
        return hits
    }

    static func address(of hit: JSONCursor) throws(ClientError) -> String {
        if let target = FoundHit(hit).url.flatMap(Style.linkTarget) { return target }
        let id = hit[.id]?.string ?? "?"
        let hint = "“searchctl show \(ShellWord.quoted(id))” shows its details."
        throw ClientError(.init(.notFound), "\(id) has no web address", hint: hint)
    }
}

extension CommandOption {
    static let print = CommandOption(
        "print",
        help: "print the addresses instead of opening them",
        manual: "Prints one address per line."
    )
}
