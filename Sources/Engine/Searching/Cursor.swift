/// A position in a walk, as the client carries it: opaque there, checked here.
package struct Cursor: Hashable, Sendable {
    /// The walk; random, so that no client can guess another's.
    package let walk: UInt64
    /// How many hits of the merged list the client has had; with a filter, how many that has looked at.
    package let position: Int

    package init(walk: UInt64, position: Int) {
        self.walk = walk
        self.position = position
    }

    /// What `text` writes at most.
    private static let bytesMax = 27

    /// Reads what `text` wrote; nil for anything else.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.bytesMax else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].count == 16, (1...10).contains(parts[1].count),
            parts.joined().allSatisfy(Self.isLowercaseHex),
            let walk = UInt64(Substring(parts[0]), radix: 16), let position = Int(Substring(parts[1]), radix: 16)
        else { return nil }
        self.init(walk: walk, position: position)
    }

    package var text: String {
        let digits = String(walk, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits + "-" + String(position, radix: 16)
    }

    private static func isLowercaseHex(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
    }
}
