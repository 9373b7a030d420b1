import JSON
import SearchModel

/// The picture of a hit; pure.
enum HitPicture {
    /// Of these, a list shows them.
    private static let kinds = ["image", "video", "book", "app"]

    /// Nil without one.
    static func address(of hit: JSONCursor) -> ExactText? {
        let addresses = [hit[.thumbnail]?.string, hit[.extra]?["image"]?.string]
        return addresses.compactMap(\.self).first { !$0.isEmpty }.map { ExactText($0) }
    }

    /// What stands beside a hit in a list; nil for a hit that is a text.
    static func thumbnail(of hit: JSONCursor) -> ExactText? {
        guard let kind = hit[.kind]?.string, kinds.contains(where: { $0.hasSameBytes(as: kind) }) else { return nil }
        return address(of: hit)
    }
}
