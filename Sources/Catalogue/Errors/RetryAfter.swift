import HTTP
import SearchModel

/// The header that a server uses to request a pause.
enum RetryAfter {
    /// Longer waits are cut to this limit.
    static let secondsMax: Int64 = 86_400

    /// Reads a number of seconds, or a date relative to `now`; nil for any other text.
    static func read(_ fields: HTTPFields, now: Int64?) -> Duration? {
        guard let text = fields["Retry-After"] else { return nil }
        let word = text.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        if !word.isEmpty, word.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) {
            // A number that overflows is treated like any other number that is too large.
            return .seconds(min(Int64(String(decoding: word, as: UTF8.self)) ?? secondsMax, secondsMax))
        }
        guard let now, let until = DateFormat.rfc822.read(text.utf8.span, zone: 0) else { return nil }
        return .seconds(min(max(until.epochSeconds - now, 0), secondsMax))
    }

    /// The server's own clock, in seconds since 1970.
    static func date(_ fields: HTTPFields) -> Int64? {
        fields["Date"].flatMap { DateFormat.rfc822.read($0.utf8.span, zone: 0)?.epochSeconds }
    }
}
