import SearchModel

/// Formats numbers for people.
package enum NumberText {
    package static func grouped(_ number: Int) -> String { number.grouped }

    package static func time(milliseconds: Double) -> String {
        guard milliseconds.isFinite, milliseconds >= 0, milliseconds < 1e15 else { return "?" }
        if milliseconds < 9.95 { return "\(tenths(milliseconds)) ms" }
        if milliseconds < 999.5 { return "\(Int(milliseconds.rounded())) ms" }
        return milliseconds < 9950 ? "\(tenths(milliseconds / 1000)) s" : age(seconds: (milliseconds / 1000).rounded())
    }

    package static func age(seconds: Double) -> String {
        let whole = Int(min(max(seconds, 0), 1e12))
        return switch whole {
        case ..<90: "\(whole) s"
        case ..<5400: "\((whole + 30) / 60) min"
        case ..<129_600: "\((whole + 1800) / 3600) h"
        default: count((whole + 43_200) / 86_400, "day")
        }
    }

    package static func count(_ number: Int, _ noun: String) -> String { count(number, noun, noun + "s") }

    package static func count(_ number: Int, _ one: String, _ many: String) -> String {
        "\(grouped(number)) \(number == 1 ? one : many)"
    }

    static func share(_ part: Int, of whole: Int) -> String { "\(grouped(part)) of \(grouped(whole))" }

    package static func bytes(_ number: Int) -> String {
        guard number >= 1024 else { return count(number, "byte") }
        var amount = Double(number) / 1024
        var units = ["KiB", "MiB", "GiB", "TiB"][...]
        while amount >= 999.5, units.count > 1 {
            amount /= 1024
            units.removeFirst()
        }
        let digits = amount < 9.95 ? tenths(amount) : String(Int(amount.rounded()))
        return "\(digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits) \(units[units.startIndex])"
    }

    package static func percent(_ part: Int, of whole: Int) -> String {
        guard whole > 0, part > 0 else { return "0 %" }
        guard part < whole else { return "100 %" }
        return "\(min(99, max(1, Int((Double(part) / Double(whole) * 100).rounded())))) %"
    }

    package static func names(_ names: [String]) -> String {
        guard names.count > namesMax else { return names.joined(separator: ", ") }
        let shown = namesMax - 1
        return names.prefix(shown).joined(separator: ", ") + " and \(grouped(names.count - shown)) more"
    }

    private static let namesMax = 6

    package static func tenths(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
