import Testing

/// A text that is to make a model do something, and what comes out of it.
struct Injection: Sendable, CustomTestStringConvertible {
    let text: String
    let expected: String

    init(_ text: String, _ expected: String) {
        (self.text, self.expected) = (text, expected)
    }

    var testDescription: String { text.debugDescription }

    static let all = roles + toolCalls + ends + unseen + directions + terminals + encoded + plain + markup + links
}
