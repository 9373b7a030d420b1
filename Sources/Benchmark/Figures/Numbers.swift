/// Figures as people read them.
enum Numbers {
    /// A number with a fixed count of decimals and thousands apart: `186,432.5`.
    static func decimal(_ value: Double, places: Int = 0) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return "–" }
        var scale = 1
        for _ in 0..<places { scale *= 10 }
        let scaled = Int((abs(value) * Double(scale)).rounded())
        let sign = value < 0 && scaled > 0 ? "-" : ""
        let whole = sign + grouped(scaled / scale)
        guard places > 0 else { return whole }
        let fraction = String(scaled % scale)
        return whole + "." + String(repeating: "0", count: places - fraction.count) + fraction
    }

    /// Nanoseconds as microseconds, with one decimal.
    static func microseconds(_ nanoseconds: Double) -> String {
        decimal(nanoseconds / 1_000, places: 1)
    }

    /// Nanoseconds as milliseconds, with two decimals.
    static func milliseconds(_ nanoseconds: Double) -> String {
        decimal(nanoseconds / 1_000_000, places: 2)
    }

    /// Bytes as MiB, with one decimal.
    static func mebibytes(_ bytes: Double) -> String {
        decimal(bytes / 1_048_576, places: 1)
    }

    /// A median and its extremes: `1.08 (1.02–1.11)`.
    static func ratio(_ spread: Spread?) -> String {
        guard let spread else { return "–" }
        let extremes = "\(decimal(spread.lowest, places: 2))–\(decimal(spread.highest, places: 2))"
        return "\(decimal(spread.median, places: 2)) (\(extremes))"
    }

    private static func grouped(_ value: Int) -> String {
        let digits = Array(String(value))
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return text
    }
}
