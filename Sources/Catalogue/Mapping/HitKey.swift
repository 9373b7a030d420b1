/// The part of a hit's id after its source.
enum HitKey {
    static let bytesMax = 64

    /// Whether a source's own key can stand in an id as it is.
    static func isPlain(_ key: Span<UInt8>) -> Bool {
        guard (1...bytesMax).contains(key.count) else { return false }
        for place in 0..<key.count {
            switch key[place] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                continue
            default: return false
            }
        }
        return true
    }
}
