import JSON

/// Lists: arrays of the document, of which only the scalars count, and elements that lie one after the other.
extension MappingContext {
    /// A scalar or an array that holds one; nothing for null, an object, an array of nothing else.
    func value(at index: Int) -> MappedValue? {
        switch document.kind(at: index) {
        case .string, .number, .bool: return .written(index)
        case .array: return edge(of: index, isLast: false) == nil ? nil : .written(index)
        case .null, .object: return nil
        }
    }

    /// The list of the elements from an index on; nil when there are none.
    func list(from first: Int) -> MappedValue? {
        first == elements.count ? nil : .list(first..<elements.count)
    }

    /// Appends a scalar to the elements, or those of an array.
    mutating func gather(_ index: Int) {
        forEach(.written(index)) { element, context in
            guard case .written(let index) = element, context.isScalar(index) else { return true }
            context.elements.append(element)
            return true
        }
    }

    /// Visits the elements of a list, or the value alone, at most `countMax` and until `body` returns false.
    mutating func forEach(
        _ value: MappedValue,
        countMax: Int = .max,
        _ body: (MappedValue, inout MappingContext) -> Bool
    ) {
        switch value {
        case .list(let range):
            for index in range.prefix(countMax) {
                guard body(elements[index], &self) else { return }
            }
        case .written(let array) where document.kind(at: array) == .array:
            let document = document
            var left = countMax
            document.forEachElement(of: array) { index in
                guard left > 0 else { return false }
                guard isScalar(index) else { return true }
                left -= 1
                return body(.written(index), &self)
            }
        default:
            if countMax > 0 { _ = body(value, &self) }
        }
    }

    /// The value, or the first of a list.
    func first(of value: MappedValue) -> MappedValue {
        switch value {
        case .list(let range): elements[range.lowerBound]
        case .written(let index): edge(of: index, isLast: false).map(MappedValue.written) ?? value
        case .clean, .text, .number, .bool, .date, .plain: value
        }
    }

    /// The last of a list, or the value.
    func last(of value: MappedValue) -> MappedValue {
        switch value {
        case .list(let range): elements[range.upperBound - 1]
        case .written(let index): edge(of: index, isLast: true).map(MappedValue.written) ?? value
        case .clean, .text, .number, .bool, .date, .plain: value
        }
    }

    /// A list of so many elements at the most; of a scalar a list of it alone.
    mutating func limited(_ value: MappedValue, to countMax: Int) -> MappedValue? {
        if case .list(let range) = value { return .list(range.prefix(countMax)) }
        let first = elements.count
        forEach(value, countMax: countMax) { element, context in
            context.elements.append(element)
            return true
        }
        return list(from: first)
    }

    /// The texts of a list joined, or the text of the value.
    mutating func joined(_ value: MappedValue, by separator: Span<UInt8>, withEmpty: Bool) -> MappedValue {
        if let only = only(of: value), let text = text(of: only) { return text }
        let start = made.count
        var isFirst = true
        forEach(value) { element, context in
            context.withText(of: element) { text, context in
                guard withEmpty || !text.isEmpty else { return }
                if !isFirst { context.made.append(separator) }
                isFirst = false
                context.made.append(text)
            }
            return true
        }
        return .text(start..<made.count)
    }

    /// The value itself, or the element of a list that has no other.
    private func only(of value: MappedValue) -> MappedValue? {
        switch value {
        case .list(let range): return range.count == 1 ? elements[range.lowerBound] : nil
        case .written(let index) where document.kind(at: index) == .array:
            let first = edge(of: index, isLast: false)
            return first == edge(of: index, isLast: true) ? first.map(MappedValue.written) : nil
        case .written, .clean, .text, .number, .bool, .date, .plain: return value
        }
    }

    /// The first or the last scalar of an array; nil when there is none.
    private func edge(of array: Int, isLast: Bool) -> Int? {
        var found: Int?
        document.forEachElement(of: array) { element in
            if isScalar(element) { found = element }
            return isLast || found == nil
        }
        return found
    }

    private func isScalar(_ index: Int) -> Bool {
        switch document.kind(at: index) {
        case .string, .number, .bool: true
        case .null, .array, .object: false
        }
    }
}
