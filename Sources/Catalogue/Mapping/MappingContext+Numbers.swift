import JSON

/// Numbers: of JSON's grammar only, and as they are written wherever nothing is computed.
extension MappingContext {
    /// The number that a value is or spells.
    mutating func number(of value: MappedValue) -> MappedValue? {
        switch value {
        case .number: return value
        case .written(let index) where document.kind(at: index) == .number: return value
        default:
            return withText(of: value) { text, context in
                if DecimalText.isInteger(text) { return .number(context.keep(text)) }
                return DecimalText.number(spelledBy: text).map { .number(context.keep($0.text.utf8.span)) }
            } ?? nil
        }
    }

    /// A quotient, with its fraction or rounded to a whole number.
    mutating func divided(_ value: MappedValue, by divisor: Double, whole: Bool) -> MappedValue? {
        guard let value = number(of: value) else { return nil }
        let number: JSONNumber?
        if whole {
            let integer = withText(of: value) { text, _ in Int(String(validated: text)) } ?? nil
            let divisor = max(1, Int(divisor))
            number = integer.map { JSONNumber($0 / divisor + ($0 % divisor) * 2 / divisor) }
        } else {
            let quotient = (withText(of: value) { text, _ in DecimalText.double(text) } ?? .nan) / divisor
            // There is one zero only.
            number = JSONNumber(quotient == 0 ? 0 : quotient)
        }
        return number.map { .number(keep($0.text.utf8.span)) }
    }

    /// The number that a value is or spells, if it lies in a range.
    mutating func within(_ value: MappedValue, _ range: ClosedRange<Double>) -> MappedValue? {
        guard let number = number(of: value) else { return nil }
        let isWithin = withText(of: number) { text, _ in range.contains(DecimalText.double(text)) }
        return isWithin ?? false ? number : nil
    }
}
