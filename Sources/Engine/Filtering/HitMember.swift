import JSON
package import SearchModel

/// A member that a hit may have or lack: one of its own, or one of its `extra`.
package struct HitMember: Hashable, Sendable {
    /// Those of a hit itself that not every hit has.
    package static let own: [Member] = [.snippet, .url, .author, .published, .thumbnail, .extra]
    /// The longest name of a member of `extra`.
    static let extraBytesMax = 64
    private static let extraPrefix = "extra."

    /// The name, of a member of `extra` that of `extra` itself.
    let name: [UInt8]
    /// The name within `extra`.
    let extra: [UInt8]?

    /// `thumbnail`, or `extra.price`; nil for what no hit can have.
    package init?(_ text: String) {
        if let member = Self.own.first(where: { $0.description.hasSameBytes(as: text) }) {
            name = Array(member.description.utf8)
            extra = nil
            return
        }
        guard text.utf8.starts(with: Self.extraPrefix.utf8) else { return nil }
        let rest = Array(text.utf8.dropFirst(Self.extraPrefix.utf8.count))
        guard (1...Self.extraBytesMax).contains(rest.count) else { return nil }
        name = Array(Member.extra.description.utf8)
        extra = rest
    }
}
