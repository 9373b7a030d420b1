/// Times as people write them on a command line.
package enum DurationText {
    private static let units: [(name: String, milliseconds: Int64)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]

    /// A year: a longer one is a mistake, and keeps the arithmetic far from its limits.
    package static let daysMax: Int64 = 366

    /// A time as it would be written here, in the largest unit of which it is so many.
    static func text(_ duration: Duration) -> String {
        let milliseconds = Int64(duration / .milliseconds(1))
        let unit = units.last { milliseconds % $0.milliseconds == 0 && milliseconds >= $0.milliseconds } ?? units[0]
        return "\(milliseconds / unit.milliseconds)\(unit.name)"
    }

    /// The time of `500ms`, `1.5s`, `10m`, `2h`, `7d`, or of a bare number of seconds; nil when it is none of these.
    package static func duration(_ text: String) -> Duration? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = text.dropFirst(digits.count)
        guard let factor = units.first(where: { $0.name == (unit.isEmpty ? "s" : unit) })?.milliseconds,
            let first = digits.first, let last = digits.last, first != ".", last != ".",
            let number = Double(digits), number <= Double(daysMax * 86_400)
        else { return nil }
        let milliseconds = (number * Double(factor)).rounded()
        guard milliseconds <= Double(daysMax * 86_400_000) else { return nil }
        return .milliseconds(Int64(milliseconds))
    }
}
