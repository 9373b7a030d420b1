/// A key, password or token; printing a secret shows `‹secret›`.
package struct Secret: Equatable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Secrets are masked in responses, and a shorter secret would also mask ordinary text.
    package static let bytesMin = 8

    private let text: String

    package init(_ text: String) {
        self.text = text
    }

    /// Use the result only in a request.
    package func reveal() -> String { text }

    package var description: String { "‹secret›" }

    package var debugDescription: String { "‹secret›" }

    package var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}
