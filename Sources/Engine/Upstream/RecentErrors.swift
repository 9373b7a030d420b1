package import SearchModel

/// The calls upstream that failed lately, those of one source and class together; pure.
///
/// Invariant: the newest come first, and there are never more than `entriesMax`.
package struct RecentErrors: Sendable {
    package struct Entry: Equatable, Sendable {
        package let source: SourceName
        package let kind: SearchError.Kind
        package fileprivate(set) var count = 1
        /// Seconds since 1970.
        package let firstAt: Int64
        package fileprivate(set) var lastAt: Int64
    }

    package static let entriesMax = 50
    /// An error that comes so long after its like is another one.
    package static let pauseSecondsMax: Int64 = 600

    package private(set) var entries: [Entry] = []

    package init() {}

    /// - Complexity: O(n) in the entries kept.
    package mutating func add(_ source: SourceName, _ kind: SearchError.Kind, at now: Int64) {
        let place = entries.firstIndex {
            $0.source == source && $0.kind == kind && now - $0.lastAt <= Self.pauseSecondsMax
        }
        guard let place else {
            entries.insert(Entry(source: source, kind: kind, firstAt: now, lastAt: now), at: 0)
            if entries.count > Self.entriesMax { entries.removeLast() }
            return
        }
        var entry = entries.remove(at: place)
        entry.count += 1
        entry.lastAt = now
        entries.insert(entry, at: 0)
    }
}
