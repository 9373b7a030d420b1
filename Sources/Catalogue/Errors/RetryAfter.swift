import HTTP
import SearchModel

/// The headers that a server uses to request a pause.
enum RetryAfter {
    /// Longer waits are cut to this limit.
    static let secondsMax: Int64 = 86_400

    /// Reads a number of seconds, or a date relative to `now`; without one, the time until a spent rate limit resets.
    static func read(_ fields: HTTPFields, now: Int64?) -> Duration? {
        guard let text = fields["Retry-After"] else { return untilReset(fields, now: now) }
        let word = text.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        if !word.isEmpty, word.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) {
            // A number that overflows is treated like any other number that is too large.
            return .seconds(min(Int64(String(decoding: word, as: UTF8.self)) ?? secondsMax, secondsMax))
        }
        guard let now, let until = DateFormat.rfc822.read(text.utf8.span, zone: 0) else { return nil }
        return .seconds(min(max(until.epochSeconds - now, 0), secondsMax))
    }

    /// Returns the time until a spent rate limit resets; nil if calls remain.
    ///
    /// A header may have several limits, as in `X-RateLimit-Remaining: 1, 0`. The reset is in seconds from now, or since
    /// 1970.
    static func untilReset(_ fields: HTTPFields, now: Int64?) -> Duration? {
        func numbers(_ name: String) -> [Int64?] {
            (fields[name] ?? "").split(separator: ",").map { Int64($0.filter { $0 != " " }) }
        }
        // A limit of 0 is no limit.
        let limits = numbers("X-RateLimit-Limit")
        let rests = zip(numbers("X-RateLimit-Remaining"), numbers("X-RateLimit-Reset"))
        let waits = rests.enumerated().compactMap { index, rest in
            let isLimit = !limits.indices.contains(index) || limits[index] != 0
            return rest.0.flatMap { $0 <= 0 && isLimit ? rest.1 : nil }
        }
        guard let longest = waits.max() else { return nil }
        // Nothing resets in thirty years.
        guard longest >= 1_000_000_000 else { return .seconds(min(max(longest, 0), secondsMax)) }
        return now.map { .seconds(min(max(longest - $0, 0), secondsMax)) }
    }

    /// The server's own clock, in seconds since 1970.
    static func date(_ fields: HTTPFields) -> Int64? {
        fields["Date"].flatMap { DateFormat.rfc822.read($0.utf8.span, zone: 0)?.epochSeconds }
    }
}
