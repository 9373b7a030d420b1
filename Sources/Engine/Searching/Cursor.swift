import JSON

/// A position in the merged list of a search; clients treat the text as opaque.
package struct Cursor: Hashable, Sendable {
    /// The id of the merged list (`Walk`); it is random, so clients cannot guess other ids.
    package let walk: UInt64
    /// How many hits of the merged list the client has received; with a filter, how many hits were checked.
    package let position: Int
    private static let positionEnd = 1 << 40

    package init(walk: UInt64, position: Int) {
        self.walk = walk
        self.position = position
    }

    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.utf8.count < 64, parts.count == 2, let walk = UInt64(parts[0], radix: 16),
            let position = Int(parts[1], radix: 16), (0..<Self.positionEnd).contains(position)
        else { return nil }
        self.init(walk: walk, position: position)
        guard self.text.hasSameBytes(as: text) else { return nil }
    }

    package var text: String {
        let digits = String(walk, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits + "-" + String(position, radix: 16)
    }
}
