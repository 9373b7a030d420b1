/// What is kept of users' searches; the same for all of them.
package struct HistorySettings: Equatable, Sendable {
    package static let keepDefault = Duration.seconds(90 * 86_400)

    /// Without it nothing more is written; what is there stays until it is too old.
    package var isEnabled = true
    /// After so long an entry is removed, and what searches brought.
    package var keep = Self.keepDefault

    package init() {}
}
