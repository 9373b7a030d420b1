/// A key, password or token; every way to print it, including the debugger's, shows `‹secret›`.
package struct Secret: Equatable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The minimum length of a key.
    ///
    /// The secrets of a request are removed from its response. A very short secret would also occur in ordinary text.
    package static let bytesMin = 8

    private let text: String

    package init(_ text: String) {
        self.text = text
    }

    /// Returns the secret, which must be used only in a request.
    package func reveal() -> String { text }

    package var description: String { "‹secret›" }

    package var debugDescription: String { "‹secret›" }

    package var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}
