/// Durations as people write them: `500ms`, `30s`, `10m`, `6h`, `7d`.
package enum DurationText {
    private static let units: [(name: String, milliseconds: Int64)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]

    /// Longer ones are mistakes.
    package static let daysMax: Int64 = 10_000

    /// A duration in the largest unit of which it is a whole number.
    package static func text(_ duration: Duration) -> String {
        let milliseconds = Int64(duration / .milliseconds(1))
        let unit = units.last { milliseconds % $0.milliseconds == 0 && milliseconds >= $0.milliseconds } ?? units[0]
        return "\(milliseconds / unit.milliseconds)\(unit.name)"
    }

    /// Reads a whole number and a unit; on a command line also a fraction, as `1.5s`, and a bare number of seconds.
    package static func duration(_ text: String, onCommandLine: Bool = false) -> Duration? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || (onCommandLine && $0 == ".")) }
        let unit = text.dropFirst(digits.count)
        let name = unit.isEmpty && onCommandLine ? "s" : unit
        guard let factor = units.first(where: { $0.name == name })?.milliseconds, digits.first != ".",
            digits.last != ".", let number = Double(digits)
        else { return nil }
        let milliseconds = (number * Double(factor)).rounded()
        guard milliseconds <= Double(daysMax * 86_400_000) else { return nil }
        return .milliseconds(Int64(milliseconds))
    }
}
