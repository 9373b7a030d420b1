/// How urgently a caller wants its answer.
package enum Priority: String, CaseIterable, Comparable, Sendable {
    /// Takes only what interactive callers leave.
    case background
    case interactive

    package static func < (left: Priority, right: Priority) -> Bool {
        left == .background && right == .interactive
    }
}
