import Glibc
import JSON

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
