import EventLoop
import Glibc
import JSON

/// What `unsave` has removed, in a file for each time that `library import` reads; no other user can read them.
struct RemovedItems {
    /// Older files are removed.
    static let filesMax = 20
    private static let prefix = "unsaved-"
    private static let suffix = ".ndjson"

    /// The user's own for such things.
    let directory: String
    /// Seconds since 1970.
    let now: Int64

    /// Keeps items; false when they can't be kept.
    func keep(_ items: [JSONCursor]) -> Bool {
        let others = names
        let free = (0...others.count).lazy.map(name).first { !others.contains($0) }
        let lines = items.flatMap { Array($0.text) + [UInt8(ascii: "\n")] }
        guard let free, StateFile.replace(free, in: directory, with: lines) else { return false }
        for old in (others + [free]).sorted().dropLast(Self.filesMax) { remove("\(directory)/\(old)") }
        return true
    }

    /// The file of the latest removal; nil when none is kept.
    var latest: String? { names.max().map { "\(directory)/\($0)" } }

    func remove(_ path: String) {
        // The path lives through the call.
        _ = unsafe unlink(path)
    }

    /// In the order of the times, for the next centuries.
    private func name(_ number: Int) -> String { "\(Self.prefix)\(now).\(number)\(Self.suffix)" }

    private var names: [String] {
        (SystemCall.names(in: directory) ?? []).filter { $0.hasPrefix(Self.prefix) && $0.hasSuffix(Self.suffix) }
    }
}
