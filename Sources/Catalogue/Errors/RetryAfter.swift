import HTTP
import SearchModel

/// The header in which a server asks for a pause.
enum RetryAfter {
    /// A longer wait is not believed.
    static let secondsMax: Int64 = 86_400

    /// Seconds, or a date, which is read against now; nil for what is neither.
    static func read(_ fields: HTTPFields, now: Int64?) -> Duration? {
        guard let text = fields["Retry-After"] else { return nil }
        let word = text.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        if !word.isEmpty, word.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) {
            // A number too large to be one is as absurd as one that is merely large.
            return .seconds(min(Int64(String(decoding: word, as: UTF8.self)) ?? secondsMax, secondsMax))
        }
        guard let now, let until = DateFormat.rfc822.read(text, zone: 0) else { return nil }
        return .seconds(min(max(until.epochSeconds - now, 0), secondsMax))
    }

    /// The server's own clock, in seconds since 1970.
    static func date(_ fields: HTTPFields) -> Int64? {
        fields["Date"].flatMap { DateFormat.rfc822.read($0, zone: 0)?.epochSeconds }
    }
}
