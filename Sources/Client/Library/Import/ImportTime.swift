import JSON
import RPC
import SearchModel

/// Ratings as other programs write them; pure.
enum ImportNumber {
    /// Nil for what is none of ours.
    static func rating(_ text: String) -> Int? {
        Int(LibraryEntry.line(text)).flatMap { WireBounds.rating.contains($0) ? $0 : nil }
    }

    /// Whether it says that there is no rating: some programs write 0.
    static func isNone(_ text: String) -> Bool { ["", "0"].contains(ExactText(LibraryEntry.line(text))) }
}

/// Times as other programs write them; pure.
enum ImportTime {
    /// After this, a number counts milliseconds or less.
    private static let secondsMax: Int64 = 100_000_000_000

    /// Seconds since 1970 of a number of them, or of a date; nil for anything else.
    static func seconds(_ text: String) -> Int64? {
        let text = LibraryEntry.line(text)
        if var number = Int64(text), number > 9999 {
            while number > secondsMax { number /= 1000 }
            return number
        }
        return published(text).flatMap { RFC3339.epochSeconds($0.text) }
    }

    /// A date as RFC 3339 writes it, and its precision unless that is a second: of `2024`, `2024-03`, `2024-03-09`,
    /// also with slashes or dots, or of an instant.
    static func published(_ text: String) -> (text: String, precision: String?)? {
        var text = LibraryEntry.line(text)
        if text.utf8.count <= 10 { text = text.replacingScalars { $0 == "/" || $0 == "." ? "-" : nil } }
        let (rest, precision): (String, String?) =
            switch text.utf8.count {
            case 4: ("-01-01T00:00:00Z", "year")
            case 7: ("-01T00:00:00Z", "month")
            case 10: ("T00:00:00Z", "day")
            case 19: ("Z", nil)
            default: ("", nil)
            }
        return RFC3339.epochSeconds(text + rest).map { _ in (text + rest, precision) }
    }
}
