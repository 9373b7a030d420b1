package import JSON

/// The methods of the daemon.
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

/// Messages without an answer.
package enum NotificationName: String, CaseIterable, Sendable {
    case hits = "search/hits"
    case source = "search/source"
    case progress = "search/progress"
    case libraryChanged = "library/changed"
    case cancelRequest = "$/cancelRequest"
}

/// The status of a source in a search; in a stream also of its waiting calls.
package enum SourceStatus: String, CaseIterable, Sendable {
    case ok
    /// Some of its pages came, then it failed.
    case partial
    case failed
    /// It had not answered when the search timed out, or when the window was full and its usual time was over.
    case late
    /// It was not asked.
    case skipped
    /// Only in a stream: its call waits.
    case queued
    /// Only in a stream: its call failed and is made again.
    case retrying

    /// Those of a final answer.
    package static let final: [SourceStatus] = [.ok, .partial, .failed, .late, .skipped]
}

/// How the pages of a source were got, the costliest way last.
package enum CacheUse: String, CaseIterable, Comparable, Sendable {
    case offline
    case hit
    case stale
    case joined
    case miss

    private var cost: Int {
        switch self {
        case .offline: 0
        case .hit: 1
        case .stale: 2
        case .joined: 3
        case .miss: 4
        }
    }

    package static func < (left: CacheUse, right: CacheUse) -> Bool { left.cost < right.cost }

    /// Whether the source was not called for it.
    package var isCached: Bool { self == .offline || self == .hit || self == .stale }
}

/// Why a call to a source waits.
package enum WaitReason: String, CaseIterable, Sendable {
    /// Other clients are served first.
    case fairness
    /// As many calls are under way as the source bears.
    case concurrency
    /// The source's rate limit is reached.
    case rateLimit
    /// The source asked for a pause.
    case retryAfter
}

/// Why a source that was not named is left out of a search for now.
package enum SkipReason: String, CaseIterable, Sendable {
    /// The query ends in a syllable that is still being typed.
    case unfinished
    /// The query is shorter than the source takes.
    case tooShort
    /// It failed repeatedly and is not called for a while.
    case suspended
    case quotaExhausted
    /// It would wait for its rate limit longer than the others take.
    case rateLimit
    /// The search has made as many calls as it may.
    case maxCalls
}

/// How long a search waits.
package enum WaitMode: String, CaseIterable, Sendable {
    /// Every source.
    case all
    /// A full window, and then the sources that usually answer soon.
    case enough
}

/// How a source is doing.
package enum HealthState: String, CaseIterable, Sendable {
    case ok
    /// Calls wait, it asked for a pause, or a quota is used up.
    case waiting
    /// Its latest calls failed.
    case failing
    /// It failed so often that it is not called, but tried now and then.
    case suspended = "open"
}

/// Why a source is not enabled.
package enum DisabledReason: String, CaseIterable, Sendable {
    case notConfigured
    case disabled
    case invalid
}

/// The type of a source's option.
package enum OptionType: String, CaseIterable, Sendable {
    case choice
    case integer
    case boolean
    case string
}

extension JSONCursor {
    /// A string as one of the contract's words; nil for anything else, such as a word of a newer daemon.
    package func word<Word: RawRepresentable<String> & CaseIterable>(_: Word.Type = Word.self) -> Word? {
        string.flatMap(Word.init(exactly:))
    }
}

/// The bounds of parameters, which the daemon checks and its clients keep to.
package enum WireBounds {
    package static let limit = 1...1000
    package static let limitDefault = 10
    /// The largest limit of a search whose hits include the sources' own documents.
    package static let rawLimitMax = 100
    /// How deep one source can be entered, which costs no more calls than its beginning.
    package static let offset = 0...100_000
    /// How deep a list can be entered that must be merged or sorted from its beginning.
    package static let mergedOffsetMax = 5000
    /// How many hits of the merged list a search with a filter looks at: as many as the largest window has without.
    package static let filterLookedMax = 1000
    /// How many more for each hit that the window leaves out.
    package static let filterLookedPerOffset = 10
    /// How many members of a hit a filter may name.
    package static let filterMembersMax = 16
    package static let maxCalls = 0...1000
    package static let maxAgeSeconds = 0...365 * 86_400
    package static let timeoutMilliseconds = 1...120_000
    package static let timeoutMillisecondsDefault = 10_000
    package static let debounceMilliseconds = 0...10_000
    /// How long a request that would cost a call holds still when another came on its channel before: by their pace,
    /// and only when that was within the longer time.
    package static let settlingMilliseconds = 150...450
    package static let sourcesMax = 64
    package static let channelBytes = 1...64
    package static let clientBytesMax = 128
    /// The longest key of an item, in `search/lookup`.
    package static let itemKeyBytesMax = 256
    /// How many items one change of a library may name.
    package static let libraryItemsMax = 1000
    package static let libraryLimitDefault = 100
    /// More calls than any quota allows.
    package static let quotaUsedMax = 1_000_000_000
    /// The largest offset in a library.
    package static let libraryOffset = 0...1_000_000
    package static let historyLimitDefault = 100
    package static let suggestLimitDefault = 8
    package static let noteTitleBytesMax = 256
    package static let noteTextBytesMax = 16 << 10
    package static let rating = 1...5
    /// The most bytes a picture may have.
    package static let pictureBytesMax = 2 << 20
    /// The longest address of a picture.
    package static let pictureAddressBytesMax = 16 << 10
    /// How many clients `server/stats` lists.
    package static let clientsMax = 50
}
