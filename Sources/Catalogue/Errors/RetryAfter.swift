import HTTPMessage
import SearchModel

/// The header by which a server says when to come again.
enum RetryAfter {
    /// A longer wait is not believed.
    static let secondsMax: Int64 = 86_400

    /// Seconds, or a date, which is read against the answer's own date so that nobody's clock matters.
    static func read(_ fields: HTTPFields) -> Duration? {
        guard let text = fields["Retry-After"] else { return nil }
        if let seconds = Int64(text.filter { $0 != " " }) {
            return seconds >= 0 ? .seconds(min(seconds, secondsMax)) : nil
        }
        guard let until = DateFormat.rfc822.read(text, zone: 0), let date = fields["Date"],
            let now = DateFormat.rfc822.read(date, zone: 0)
        else { return nil }
        return .seconds(min(max(until.epochSeconds - now.epochSeconds, 0), secondsMax))
    }
}
