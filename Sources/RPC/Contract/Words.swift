package import JSON

/// What a method is called on the wire.
package struct MethodName: RawRepresentable, ExpressibleByStringLiteral, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package init(stringLiteral name: String) {
        rawValue = name
    }

    package static let hello: MethodName = "server/hello"
    package static let ping: MethodName = "server/ping"
    package static let stats: MethodName = "server/stats"
    package static let metrics: MethodName = "server/metrics"
    package static let reload: MethodName = "server/reload"
    package static let search: MethodName = "search"
    package static let sourceList: MethodName = "source/list"
    package static let cacheStats: MethodName = "cache/stats"
    package static let cacheClear: MethodName = "cache/clear"
    package static let discover: MethodName = "rpc.discover"
}

/// What a message without an answer is called on the wire.
package struct NotificationName: RawRepresentable, ExpressibleByStringLiteral, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package init(stringLiteral name: String) {
        rawValue = name
    }

    package static let hits: NotificationName = "search/hits"
    package static let source: NotificationName = "search/source"
    package static let progress: NotificationName = "search/progress"
    package static let cancelRequest: NotificationName = "$/cancelRequest"
}

/// What became of a source in a search; in a stream also what it waits for.
package enum SourceStatus: String, CaseIterable, Sendable {
    case ok
    /// Some of its pages came, then it failed.
    case partial
    case failed
    /// It had not answered when the search timed out.
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

/// How the pages of a source were got.
package enum CacheUse: String, CaseIterable, Sendable {
    case offline
    case hit
    case stale
    case joined
    case miss

    /// Whether the source was not called for it.
    package var isCached: Bool { self == .offline || self == .hit || self == .stale }
}

/// Why a call to a source waits.
package enum WaitReason: String, CaseIterable, Sendable {
    case fairness
    case concurrency
    case rateLimit
    case retryAfter
}

/// How a source is doing.
package enum HealthState: String, CaseIterable, Sendable {
    case ok
    /// Calls wait, it asked for a pause, or a quota is used up.
    case waiting
    /// Its latest calls failed.
    case failing
    /// It failed so often that it is not called, but tried now and then.
    case open
}

/// Why a source is not enabled.
package enum DisabledReason: String, CaseIterable, Sendable {
    case notConfigured
    case disabled
    case invalid
}

/// What the value of a source's option is.
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
    /// How deep one source can be entered, which costs no more calls than its beginning.
    package static let offset = 0...100_000
    /// How deep a list can be entered that must be merged or sorted from its beginning.
    package static let mergedOffsetMax = 5000
    package static let maxAgeSeconds = 0...365 * 86_400
    package static let timeoutMilliseconds = 1...120_000
    package static let timeoutMillisecondsDefault = 10_000
    package static let debounceMilliseconds = 0...10_000
    /// How long a request that would cost a call holds still when another came on its channel within that time.
    package static let settlingMilliseconds = 150
    package static let sourcesMax = 64
    package static let channelBytes = 1...64
    package static let clientBytesMax = 128
    /// How many clients `server/stats` lists.
    package static let clientsMax = 50
}
