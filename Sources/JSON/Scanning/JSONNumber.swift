/// A number exactly as it was written.
///
/// Invariant: `text` is a number of the JSON grammar.
package struct JSONNumber: Equatable, Sendable {
    package let text: String

    /// The number of an integer.
    package init(_ integer: some FixedWidthInteger) {
        text = String(integer)
    }

    /// The shortest text that reads back as this double, without a needless `.0`; nil for infinities and NaN.
    package init?(_ double: Double) {
        guard double.isFinite else { return nil }
        let written = double.description
        text = written.hasSuffix(".0") ? String(written.dropLast(2)) : written
    }

    /// The caller has seen that the text follows the grammar.
    package init(validatedText text: String) {
        self.text = text
    }

    /// The value when it is written as an integer that fits; nil otherwise, never rounded.
    package var int: Int? { Int(text) }

    /// The nearest double.
    package var double: Double { Double(text) ?? .nan }
}
