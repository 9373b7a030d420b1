/// A key, password or token: usable where it is needed, never printed by accident.
///
/// Every way of printing it, the debugger's included, gives `‹secret›`.
package struct Secret: Equatable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What is shorter is no key.
    ///
    /// Every answer is searched for the secrets that it was asked with: a single letter would be taken out of all of
    /// it.
    package static let bytesMin = 8

    private let text: String

    package init(_ text: String) {
        self.text = text
    }

    /// The secret itself, to be put into a request and nowhere else.
    package func reveal() -> String { text }

    package var description: String { "‹secret›" }

    package var debugDescription: String { "‹secret›" }

    package var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}
