/// Sizes as a person writes them: `512KiB`, `64MiB`, `1GiB`, or bytes.
enum SizeText {
    /// The size in bytes; nil for anything but one whole number and one unit, and for more than 1 TiB.
    static func read(_ text: String) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int(digits), count <= 1 << 40 else { return nil }
        let shift: Int
        switch text.dropFirst(digits.count) {
        case "", "B": shift = 0
        case "KiB": shift = 10
        case "MiB": shift = 20
        case "GiB": shift = 30
        default: return nil
        }
        guard count <= (1 << 40) >> shift else { return nil }
        return count << shift
    }
}
