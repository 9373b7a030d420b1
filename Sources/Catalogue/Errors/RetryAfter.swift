import HTTPMessage
import SearchModel

/// The header by which a server says when to come again.
enum RetryAfter {
    /// A longer wait is not believed.
    static let secondsMax: Int64 = 86_400

    /// Seconds, or a date, which is read against now.
    static func read(_ fields: HTTPFields, now: Int64?) -> Duration? {
        guard let text = fields["Retry-After"] else { return nil }
        if let seconds = Int64(text.filter { $0 != " " }) {
            return seconds >= 0 ? .seconds(min(seconds, secondsMax)) : nil
        }
        guard let now, let until = DateFormat.rfc822.read(text, zone: 0) else { return nil }
        return .seconds(min(max(until.epochSeconds - now, 0), secondsMax))
    }

    /// The server's own clock, in seconds since 1970.
    static func date(_ fields: HTTPFields) -> Int64? {
        fields["Date"].flatMap { DateFormat.rfc822.read($0, zone: 0)?.epochSeconds }
    }
}
