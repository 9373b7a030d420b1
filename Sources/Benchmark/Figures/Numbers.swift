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

    /// A median and its extremes, with two decimals each.
    static func ratio(_ spread: Spread?) -> String { spread.map(Unit.ratio.text) ?? "–" }

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
