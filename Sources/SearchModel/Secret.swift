/// A key, password or token that is never printed by accident.
///
/// All ways of printing it, including the debugger's, show `‹secret›`.
package struct Secret: Equatable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The minimum length of a key.
    ///
    /// The secrets of a request are removed from its response. A very short secret would also occur in ordinary text.
    package static let bytesMin = 8

    private let text: String

    package init(_ text: String) {
        self.text = text
    }

    /// Returns the secret, for use in a request only.
    package func reveal() -> String { text }

    package var description: String { "‹secret›" }

    package var debugDescription: String { "‹secret›" }

    package var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}
