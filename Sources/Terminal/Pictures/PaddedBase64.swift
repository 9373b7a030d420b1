/// A text of base64 with the padding that belongs to it, which not every program writes; pure.
struct PaddedBase64 {
    static let padding = UInt8(ascii: "=")

    let text: [UInt8]
    /// How many bytes it stands for.
    let byteCount: Int

    /// Nil for what has other signs, or a digit that stands for no whole byte.
    init?(_ text: ArraySlice<UInt8>) {
        let paddingCount = text.suffix(2).count { $0 == Self.padding }
        let digits = text.dropLast(paddingCount)
        guard digits.count % 4 != 1, digits.allSatisfy(Self.isDigit) else { return nil }
        byteCount = digits.count * 3 / 4
        self.text = digits + [UInt8](repeating: Self.padding, count: (4 - digits.count % 4) % 4)
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"): true
        default: false
        }
    }
}
