import HTTP
import JSON
import SearchModel

/// Reads the pause that a server requests in header fields.
enum RetryAfter {
    static let secondsMax: Int64 = 86_400

    static func read(_ fields: HTTPFields, now: Int64?) -> Duration? {
        guard let text = fields["Retry-After"] else { return untilReset(fields, now: now) }
        let word = text.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        if word.allSatisfy(\.isDigit), let seconds = seconds(in: text) { return seconds }
        guard let now, let until = DateFormat.rfc822.read(text.utf8.span, zone: 0) else { return nil }
        return .seconds(min(max(until.epochSeconds - now, 0), secondsMax))
    }

    static func seconds(in text: String) -> Duration? {
        let digits = text.utf8.drop { !$0.isDigit }.prefix(while: \.isDigit)
        return digits.isEmpty ? nil : .seconds(min(Int64(String(digits) ?? "") ?? secondsMax, secondsMax))
    }

    /// A header may have the values of several limits, such as `1, 0`.
    static func untilReset(_ fields: HTTPFields, now: Int64?) -> Duration? {
        func numbers(_ name: String) -> [Int64?] {
            (fields[name] ?? "").split(separator: ",").map { Int64($0.filter { $0 != " " }) }
        }
        // A limit of 0 means no limit.
        let limits = numbers("X-RateLimit-Limit")
        let rests = zip(numbers("X-RateLimit-Remaining"), numbers("X-RateLimit-Reset"))
        let waits = rests.enumerated().compactMap { index, rest in
            let isLimit = !limits.indices.contains(index) || limits[index] != 0
            return rest.0.flatMap { $0 <= 0 && isLimit ? rest.1 : nil }
        }
        guard let longest = waits.max() else { return nil }
        // A number below a billion is in seconds from now, and a larger number is in seconds since 1970.
        guard longest >= 1_000_000_000 else { return .seconds(min(max(longest, 0), secondsMax)) }
        return now.map { .seconds(min(max(longest - $0, 0), secondsMax)) }
    }

    static func date(_ fields: HTTPFields) -> Int64? {
        fields["Date"].flatMap { DateFormat.rfc822.read($0.utf8.span, zone: 0)?.epochSeconds }
    }
}
