import JSON
import RPC
import SearchModel

/// Which hits of several sources are printed as they come, so that the quickest source does not take every line.
///
/// Each source may print its part of the lines at once, or one where there are more sources than lines; what is left goes
/// to the best of the rest when the final answer has told their order. Pure.
///
/// Invariant: a hit is printed once, and no two that are known to be the same item both are.
struct FairShares {
    /// The lines of a page.
    private var lines = 0
    /// How many of them each source may print at once; nil until the daemon has told how many sources there are.
    private var share: Int?
    private var printedOfPage: [String: Int] = [:]
    private var printedSources: Set<String> = []
    private var printedIDs: Set<String> = []

    /// A page of so many lines is asked for.
    mutating func begin(lines: Int) {
        self.lines = lines
        share = nil
        printedOfPage = [:]
    }

    /// Takes a `search/progress` notification, which says how many sources are asked.
    ///
    /// A daemon that has everything at hand sends none: then nothing is gained by printing before the order is known.
    mutating func received(progress params: JSONCursor) {
        guard share == nil, let asked = params[.asked]?.int, asked > 0 else { return }
        share = max(1, lines / asked)
    }

    /// Whether a hit that comes is printed now.
    ///
    /// One that a source which has printed already has too may stand there: only the final answer tells.
    func mayPrintNow(_ hit: JSONCursor) -> Bool {
        guard let share, let source = hit[.source]?.string, printedOfPage[source, default: 0] < share else {
            return false
        }
        let others = (hit[.alsoFrom]?.elements ?? []).compactMap(\.string)
        return !isPrinted(hit) && printedSources.isDisjoint(with: others)
    }

    /// Whether a hit, or one that is the same, is printed.
    func isPrinted(_ hit: JSONCursor, sameAs: [String: [String]] = [:]) -> Bool {
        guard let id = hit[.id]?.string else { return false }
        return printedIDs.contains(id) || (sameAs[id] ?? []).contains { printedIDs.contains($0) }
    }

    mutating func printed(_ hit: JSONCursor) {
        if let id = hit[.id]?.string { printedIDs.insert(id) }
        guard let source = hit[.source]?.string else { return }
        printedOfPage[source, default: 0] += 1
        printedSources.insert(source)
    }
}
