import JSON

extension MappedValue {
    /// The value of a constant in a source file.
    init?(_ constant: JSONValue) {
        switch constant {
        case .string(let text): self = .text(text)
        case .number(let number): self = .number(number)
        case .bool(let bool): self = .bool(bool)
        case .array(let elements):
            // Lists in the list are taken apart.
            let values = elements.compactMap { MappedValue($0) }.flatMap { value in
                if case .list(let inner) = value { inner } else { [value] }
            }
            guard !values.isEmpty else { return nil }
            self = .list(values)
        case .null, .object: return nil
        }
    }
}
