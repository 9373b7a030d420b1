/// Amounts of money, in millionths of a currency.
package enum Money {
    package static let unitsMax = 1_000_000_000
    package static let scale = 1_000_000

    /// Reads an amount such as `5.00 USD`, with at most six decimals.
    static func amount(_ text: String) -> (millionths: Int, currency: String)? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, isCurrency(parts[1]), let read = read(parts[0]), read.isExact else { return nil }
        return (read.millionths, String(parts[1]))
    }

    private static func isCurrency(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 3 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }

    /// Reads a decimal number such as `0.5` or `7e-3`, and rounds it up to millionths.
    package static func read(_ text: some StringProtocol) -> (millionths: Int, isExact: Bool)? {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        guard let number = parts.first, parts.count <= 2 else { return nil }
        let halves = number.split(separator: ".", omittingEmptySubsequences: false)
        guard halves.count <= 2, halves.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        let fraction = halves.count == 2 ? halves[1].utf8.count : 0
        let exponent = parts.count == 2 ? Int(parts[1]) : 0
        guard let exponent, abs(exponent) <= 40, number.utf8.count <= 40 else { return nil }
        let digits = Array(halves.joined().utf8)
        // How many digits are needed for millionths; later digits are rounded up.
        let wholeCount = digits.count - fraction + exponent + 6
        var millionths = 0
        for index in 0..<max(wholeCount, 0) {
            millionths = millionths * 10 + (index < digits.count ? Int(digits[index] - 0x30) : 0)
            guard millionths <= unitsMax * scale else { return nil }
        }
        let isExact = digits.dropFirst(max(wholeCount, 0)).allSatisfy { $0 == 0x30 }
        return (isExact ? millionths : millionths + 1, isExact)
    }

    package static func decimal(_ millionths: Int) -> String {
        let (units, rest) = millionths.quotientAndRemainder(dividingBy: scale)
        var decimals = String(scale + rest).dropFirst()
        while decimals.utf8.count > 2, decimals.hasSuffix("0") { decimals = decimals.dropLast() }
        return "\(units).\(decimals)"
    }
}
