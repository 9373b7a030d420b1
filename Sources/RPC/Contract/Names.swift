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

/// Messages without an answer.
package enum NotificationName: String, CaseIterable, Sendable {
    case hits = "search/hits"
    case source = "search/source"
    case progress = "search/progress"
    case libraryChanged = "library/changed"
    case cancelRequest = "$/cancelRequest"
}

/// The status of a source in a search; a stream also reports waiting calls.
package enum SourceStatus: String, CaseIterable, Sendable {
    case ok
    /// Some of its pages arrived before it failed.
    case partial
    case failed
    /// It had not answered when the search timed out, or when the search had enough hits and stopped waiting.
    case late
    /// It was not called.
    case skipped
    /// Its call waits; only in a stream.
    case queued
    /// Its call failed and is repeated; only in a stream.
    case retrying

    /// The statuses in a final answer.
    package static let final: [SourceStatus] = [.ok, .partial, .failed, .late, .skipped]
}

/// How the pages of a source were obtained, in the order of their cost.
package enum CacheUse: String, CaseIterable, Comparable, Sendable {
    case offline
    case hit
    case stale
    case joined
    case miss

    private var cost: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    package static func < (left: CacheUse, right: CacheUse) -> Bool { left.cost < right.cost }

    /// Whether no call was needed.
    package var isCached: Bool { self == .offline || self == .hit || self == .stale }
}

/// Why a call to a source waits.
package enum WaitReason: String, CaseIterable, Sendable {
    /// Other clients are served first.
    case fairness
    /// The source has as many calls in progress as it allows.
    case concurrency
    /// The source's rate limit is reached.
    case rateLimit
    /// The source asked for a pause.
    case retryAfter
}

/// Why a search skips a source.
package enum SkipReason: String, CaseIterable, Sendable {
    /// The query ends in a syllable that is still being typed.
    case unfinished
    /// The source does not accept such a short query.
    case tooShort
    /// Its calls failed repeatedly, or it asked for a pause.
    case suspended
    case quotaExhausted
    /// Its rate limit would delay the search longer than the other sources take.
    case rateLimit
    /// The search has used up its `maxCalls`.
    case maxCalls
    /// The source must not be called for each keystroke.
    case typing
}

/// Which sources a search waits for.
package enum WaitMode: String, CaseIterable, Sendable {
    /// All sources.
    case all
    /// The sources needed to fill the window, and then those that usually answer soon.
    case enough
}

/// The health of a source.
package enum HealthState: String, CaseIterable, Sendable {
    case ok
    /// Calls wait, the source asked for a pause, or a quota is used up.
    case waiting
    /// Its latest calls failed.
    case failing
    /// It is suspended because its calls failed repeatedly; it is called again from time to time.
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
    /// Returns a string as a word of the contract; nil for other values, such as an unknown word of a newer daemon.
    package func word<Word: RawRepresentable<String> & CaseIterable>(_: Word.Type = Word.self) -> Word? {
        string.flatMap(Word.init(exactly:))
    }
}

/// The bounds of parameters, which the daemon checks and clients use.
package enum WireBounds {
    package static let limit = 1...1000
    package static let limitDefault = 10
    /// The maximum limit of a search with `raw`.
    package static let rawLimitMax = 100
    /// The offset in the list of one source; a large offset needs no more calls than a small one.
    package static let offset = 0...100_000
    /// The maximum offset in a list that must be merged or sorted from its beginning.
    package static let mergedOffsetMax = 5000
    /// How many hits of the merged list a search with a filter examines; this is the maximum limit.
    package static let filterLookedMax = 1000
    /// How many more hits it examines for each hit of the offset.
    package static let filterLookedPerOffset = 10
    /// The maximum number of members that a filter may name.
    package static let filterMembersMax = 16
    package static let maxCalls = 0...1000
    package static let maxAgeSeconds = 0...365 * 86_400
    package static let timeoutMilliseconds = 1...120_000
    package static let timeoutMillisecondsDefault = 10_000
    package static let debounceMilliseconds = 0...10_000
    /// How long a request that may need a call waits for a newer request on its channel.
    ///
    /// The time depends on the intervals between the requests. If the previous request is older than the upper bound,
    /// the request does not wait.
    package static let settlingMilliseconds = 150...450
    package static let sourcesMax = 64
    package static let channelBytes = 1...64
    package static let clientBytesMax = 128
    /// The maximum length of an item's key in `search/lookup`.
    package static let itemKeyBytesMax = 256
    /// The maximum number of items in one change of a library.
    package static let libraryItemsMax = 1000
    package static let libraryLimitDefault = 100
    /// The offset in a library.
    package static let libraryOffset = 0...1_000_000
    package static let historyLimitDefault = 100
    package static let suggestLimitDefault = 8
    package static let noteTitleBytesMax = 256
    package static let noteTextBytesMax = 16 << 10
    package static let rating = 1...5
    /// The maximum size of a picture.
    package static let pictureBytesMax = 2 << 20
    /// The maximum length of a picture's URL.
    package static let pictureAddressBytesMax = 16 << 10
    /// The maximum size of a web page.
    package static let pageBytesMax = 4 << 20
    /// The maximum length of a web page's URL.
    package static let pageAddressBytesMax = 16 << 10
    /// The maximum age of a cached web page if the request has no `maxAge`, in seconds.
    package static let pageAgeDefault = 600
    /// The maximum number of clients in `server/stats`.
    package static let clientsMax = 50
}
