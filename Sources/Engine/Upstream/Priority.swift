/// How urgently a caller wants its answer.
package enum Priority: String, CaseIterable, Comparable, Sendable {
    /// Takes only what interactive callers leave.
    case background
    case interactive

    package static func < (left: Priority, right: Priority) -> Bool {
        left == .background && right == .interactive
    }

    /// Not by its text, which takes several times as long.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(self == .interactive)
    }
}
