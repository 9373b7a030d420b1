import JSON

/// Lists: arrays of the document, of which only the scalars count, and elements that lie one after the other.
extension MappingContext {
    /// A scalar or an array that holds one; nothing for null, an object, an array of nothing else.
    func value(at place: Int) -> MappedValue? {
        switch document.kind(at: place) {
        case .string, .number, .bool: return .written(place)
        case .array: return edge(of: place, isLast: false) == nil ? nil : .written(place)
        case .null, .object: return nil
        }
    }

    /// The list of the elements from a place on; nil when there are none.
    func list(from first: Int) -> MappedValue? {
        first == elements.count ? nil : .list(first..<elements.count)
    }

    /// Appends a scalar to the elements, or those of an array.
    mutating func gather(_ place: Int) {
        forEach(.written(place)) { element, space in
            guard case .written(let place) = element, space.isScalar(place) else { return true }
            space.elements.append(element)
            return true
        }
    }

    /// Visits the elements of a list, or the value alone, so many at the most and until one is said to be enough.
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
            document.forEachElement(of: array) { place in
                guard left > 0 else { return false }
                guard isScalar(place) else { return true }
                left -= 1
                return body(.written(place), &self)
            }
        default:
            if countMax > 0 { _ = body(value, &self) }
        }
    }

    /// The value, or the first of a list.
    func first(of value: MappedValue) -> MappedValue {
        switch value {
        case .list(let range): elements[range.lowerBound]
        case .written(let place): edge(of: place, isLast: false).map(MappedValue.written) ?? value
        case .clean, .text, .number, .bool, .date, .plain: value
        }
    }

    /// The last of a list, or the value.
    func last(of value: MappedValue) -> MappedValue {
        switch value {
        case .list(let range): elements[range.upperBound - 1]
        case .written(let place): edge(of: place, isLast: true).map(MappedValue.written) ?? value
        case .clean, .text, .number, .bool, .date, .plain: value
        }
    }

    /// A list of so many elements at the most; of a scalar a list of it alone.
    mutating func limited(_ value: MappedValue, to countMax: Int) -> MappedValue? {
        if case .list(let range) = value { return .list(range.prefix(countMax)) }
        let first = elements.count
        forEach(value, countMax: countMax) { element, space in
            space.elements.append(element)
            return true
        }
        return list(from: first)
    }

    /// The texts of a list joined, or the text of the value.
    mutating func joined(_ value: MappedValue, by separator: Span<UInt8>, withEmpty: Bool) -> MappedValue {
        if let only = only(of: value), let text = text(of: only) { return text }
        let start = made.count
        var isFirst = true
        forEach(value) { element, space in
            space.withText(of: element) { text, space in
                guard withEmpty || !text.isEmpty else { return }
                if !isFirst { space.made.append(separator) }
                isFirst = false
                space.made.append(text)
            }
            return true
        }
        return .text(start..<made.count)
    }

    /// The value itself, or the element of a list that has no other.
    private func only(of value: MappedValue) -> MappedValue? {
        switch value {
        case .list(let range): return range.count == 1 ? elements[range.lowerBound] : nil
        case .written(let place) where document.kind(at: place) == .array:
            let first = edge(of: place, isLast: false)
            return first == edge(of: place, isLast: true) ? first.map(MappedValue.written) : nil
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

    private func isScalar(_ place: Int) -> Bool {
        switch document.kind(at: place) {
        case .string, .number, .bool: true
        case .null, .array, .object: false
        }
    }
}
