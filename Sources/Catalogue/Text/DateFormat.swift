import JSON
import SearchModel

/// The ways in which sources write dates.
enum DateFormat: String, CaseIterable {
    /// `2024-03-09T11:51:51.000+09:00` and everything shorter that begins so, down to the year alone.
    case iso
    /// `20240309`.
    case compact
    /// `Sat, 09 Mar 2024 11:51:51 +0900`.
    case rfc822
    case epochSeconds
    case epochMilliseconds

    /// Reads a date; nil when the text is none.
    ///
    /// The zone, in minutes east of UTC, is for what names none.
    func read(_ text: Span<UInt8>, zone: Int) -> PublishedDate? {
        switch self {
        case .epochSeconds: return Self.epoch(Int64(String(validated: text)), zone: zone)
        case .epochMilliseconds: return Self.epoch(Int64(String(validated: text)).map { $0 / 1000 }, zone: zone)
        case .iso: return DateReader.read(text, .iso, zone: zone)
        case .compact: return DateReader.read(text, .compact, zone: zone)
        case .rfc822: return DateReader.read(text, .rfc822, zone: zone)
        }
    }

    func read(_ text: String, zone: Int) -> PublishedDate? {
        read(text.utf8.span, zone: zone)
    }

    /// Only the years that can be written, by the clocks of the zone.
    private static func epoch(_ seconds: Int64?, zone: Int) -> PublishedDate? {
        guard let seconds, PublishedDate.canWrite(seconds, offsetMinutes: zone) else { return nil }
        return PublishedDate(epochSeconds: seconds, offsetMinutes: zone, precision: .second)
    }
}
