package import JSON

// The words of the protocol, and the bounds of its parameters (`WireBounds`).

package enum MethodName: String, CaseIterable, Sendable {
    case hello = "server/hello"
    case ping = "server/ping"
    case stats = "server/stats"
    case metrics = "server/metrics"
    case reload = "server/reload"
    case search
    case lookup = "search/lookup"
    case suggest = "search/suggest"
    case image = "image/get"
    case page = "page/get"
    case historyList = "history/list"
    case historyClear = "history/clear"
    case librarySave = "library/save"
    case libraryRemove = "library/remove"
    case libraryNote = "library/note"
    case libraryTag = "library/tag"
    case libraryList = "library/list"
    case libraryGet = "library/get"
    case libraryWatch = "library/watch"
    case libraryUnwatch = "library/unwatch"
    case libraryRefresh = "library/refresh"
    case libraryBackup = "library/backup"
    case sourceList = "source/list"
    case quotaSet = "quota/set"
    case cacheStats = "cache/stats"
    case cacheClear = "cache/clear"
    case discover = "rpc.discover"
}

package enum NotificationName: String, CaseIterable, Sendable {
    case hits = "search/hits"
    case source = "search/source"
    case progress = "search/progress"
    case libraryChanged = "library/changed"
    case cancelRequest = "$/cancelRequest"
}

package enum SourceStatus: String, CaseIterable, Sendable {
    case ok
    case partial
    case failed
    case late
    case skipped
    case queued
    case retrying

    package static let final: [SourceStatus] = [.ok, .partial, .failed, .late, .skipped]
}

/// How the pages of a source were obtained, in ascending order of cost.
package enum CacheUse: String, CaseIterable, Comparable, Sendable {
    case offline
    case hit
    case stale
    case joined
    case miss

    private var cost: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    package static func < (left: CacheUse, right: CacheUse) -> Bool { left.cost < right.cost }

    package var isCached: Bool { self == .offline || self == .hit || self == .stale }
}

package enum WaitReason: String, CaseIterable, Sendable {
    case fairness
    case concurrency
    case rateLimit
    case retryAfter
}

package enum SkipReason: String, CaseIterable, Sendable {
    case unfinished
    case tooShort
    case suspended
    case quotaExhausted
    case rateLimit
    case maxCalls
    /// The source must not be called for each keystroke.
    case typing
}

package enum WaitMode: String, CaseIterable, Sendable {
    case all
    /// When there are enough hits, the search waits only for sources that usually answer soon.
    case enough
}

package enum HealthState: String, CaseIterable, Sendable {
    case ok
    /// Calls wait, the source asked for a pause, or a quota is used up.
    case waiting
    case failing
    /// Calls failed repeatedly. The source is called again from time to time.
    case suspended = "open"
}

package enum DisabledReason: String, CaseIterable, Sendable {
    case notConfigured
    case disabled
    case invalid
}

package enum OptionType: String, CaseIterable, Sendable {
    case choice
    case integer
    case boolean
    case string
}

extension JSONCursor {
    /// Returns nil for an unknown word, for example from a newer daemon.
    package func word<Word: RawRepresentable<String> & CaseIterable>(_: Word.Type = Word.self) -> Word? {
        string.flatMap(Word.init(exactly:))
    }
}

/// The bounds of parameters, which the daemon checks and clients use.
package enum WireBounds {
    package static let limit = 1...1000
    package static let limitDefault = 10
    package static let rawLimitMax = 100
    package static let offset = 0...100_000
    /// The maximum offset in a list that must be merged or sorted from its beginning.
    package static let mergedOffsetMax = 5000
    /// A filter may check this many hits.
    ///
    /// For each hit that the offset skips, it may check `filterLookedPerOffset` more.
    package static let filterLookedMax = 1000
    package static let filterLookedPerOffset = 10
    package static let filterMembersMax = 16
    package static let maxCalls = 0...1000
    package static let maxAgeSeconds = 0...365 * 86_400
    package static let timeoutMilliseconds = 1...120_000
    package static let timeoutMillisecondsDefault = 10_000
    package static let debounceMilliseconds = 0...10_000
    /// The minimum and maximum wait for a newer request on the same channel.
    package static let settlingMilliseconds = 150...450
    package static let sourcesMax = 64
    package static let channelBytes = 1...64
    package static let clientBytesMax = 128
    package static let itemKeyBytesMax = 256
    package static let libraryItemsMax = 1000
    package static let libraryLimitDefault = 100
    package static let libraryOffset = 0...1_000_000
    package static let historyLimitDefault = 100
    package static let suggestLimitDefault = 8
    package static let noteTitleBytesMax = 256
    package static let noteTextBytesMax = 16 << 10
    package static let rating = 1...5
    package static let pictureBytesMax = 2 << 20
    package static let pictureAddressBytesMax = 16 << 10
    package static let pageBytesMax = 4 << 20
    package static let pageAddressBytesMax = 16 << 10
    /// In seconds.
    package static let pageAgeDefault = 600
    package static let clientsMax = 50
}
