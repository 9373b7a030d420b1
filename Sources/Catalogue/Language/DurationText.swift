/// Durations as a person writes them: `500ms`, `30s`, `10m`, `6h`, `7d`.
package enum DurationText {
    /// Fails for anything but one whole number and one unit, and for more than 10,000 days.
    package static func read(_ text: String) -> Duration? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int64(digits), count <= 864_000_000_000 else { return nil }
        let milliseconds: Int64
        switch text.dropFirst(digits.count) {
        case "ms": milliseconds = 1
        case "s": milliseconds = 1000
        case "m": milliseconds = 60_000
        case "h": milliseconds = 3_600_000
        case "d": milliseconds = 86_400_000
        default: return nil
        }
        let (product, overflow) = count.multipliedReportingOverflow(by: milliseconds)
        guard !overflow, product <= 864_000_000_000 else { return nil }
        return .milliseconds(product)
    }
}

extension Declared {
    package func duration() throws(CatalogueError) -> Duration {
        let text = try string("a duration such as 30s, 10m or 7d")
        guard let duration = DurationText.read(text) else {
            throw error("\u{201C}\(text)\u{201D} is no duration", hint: "Write 500ms, 30s, 10m, 6h or 7d.")
        }
        return duration
    }

    /// `+09:00`, in minutes east of UTC.
    func zone() throws(CatalogueError) -> Int {
        let text = try string("a zone such as +09:00")
        let parts = text.dropFirst().split(separator: ":")
        guard text == "Z" || parts.count == 2, let sign = text.first else {
            throw error("\u{201C}\(text)\u{201D} is no zone", hint: "Write it as +09:00, -05:00 or Z.")
        }
        if text == "Z" { return 0 }
        guard sign == "+" || sign == "-", let hours = Int(parts[0]), let minutes = Int(parts[1]),
            (0...14).contains(hours), (0...59).contains(minutes)
        else { throw error("\u{201C}\(text)\u{201D} is no zone", hint: "Write it as +09:00, -05:00 or Z.") }
        return (hours * 60 + minutes) * (sign == "-" ? -1 : 1)
    }
}
