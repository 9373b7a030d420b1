/// Expands a short input to a line of up to 1 MiB.
///
/// In the input, 0xFF and two more bytes mean a long hostile text.
enum Expansion {
    static let lineBytesMax = 1 << 20
    static let escape: UInt8 = 0xFF

    static let units: [[UInt8]] = [
        "\u{301}\u{316}", #"\u0301\u0316"#, "\u{1112}\u{1161}\u{11AB}", "\u{1112}", "\u{1F469}\u{200D}", "\u{1F1F0}",
        "&amp;", "[", "]", "{\"a\":", "a", "\\\\", "0", " ", "\"a\",", "\"a\":1,", "1,", "{},", "*", "a.b,", "%", "가",
        "\u{AD}",
    ].map { Array($0.utf8) }

    static func line(_ input: [UInt8]) -> [UInt8] {
        var line: [UInt8] = []
        var index = 0
        while index < input.count, line.count < lineBytesMax {
            if input[index] == escape, index + 2 < input.count {
                append(units[Int(input[index + 1]) % units.count], Int(input[index + 2]), to: &line)
                index += 3
            } else {
                line.append(input[index] == UInt8(ascii: "\n") ? UInt8(ascii: " ") : input[index])
                index += 1
            }
        }
        return line
    }

    /// `size` is from 0 to 255.
    private static func append(_ unit: [UInt8], _ size: Int, to line: inout [UInt8]) {
        let bytes = min((size + 1) * (size + 1) * 16, lineBytesMax - line.count)
        for _ in 0..<bytes / unit.count { line += unit }
    }
}
