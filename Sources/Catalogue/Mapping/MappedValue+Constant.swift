import JSON

extension MappedValue {
    /// The value of a constant in a source file.
    init?(_ constant: JSONValue) {
        switch constant {
        case .string(let text): self = .text(text)
        case .number(let number): self = .number(number)
        case .bool(let bool): self = .bool(bool)
        case .array(let elements): self.init(list: elements.compactMap { MappedValue($0) })
        case .null, .object: return nil
        }
    }
}
