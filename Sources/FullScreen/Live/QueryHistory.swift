import JSON

/// Earlier queries, for the arrow keys.
struct QueryHistory {
    static let countMax = 500

    /// The latest first.
    private(set) var queries: [String] = []
    /// The text that was being typed, then the earlier queries, while the user moves among them.
    private var choices: [String] = []
    private var index = 0

    mutating func replace(_ queries: [String]) { self.queries = Array(queries.prefix(Self.countMax)) }

    mutating func add(_ query: String) {
        reset()
        if !query.isEmpty { replace([query] + queries.filter { !$0.hasSameBytes(as: query) }) }
    }

    /// Stops moving among earlier queries, because the user edited the field.
    mutating func reset() { (choices, index) = ([], 0) }

    /// Returns the query before the one in the field; nil at the oldest.
    mutating func older(than text: String) -> String? {
        if choices.isEmpty { choices = [text] + queries.filter { !$0.hasSameBytes(as: text) } }
        guard index + 1 < choices.count else { return nil }
        index += 1
        return choices[index]
    }

    /// Returns the next newer query, then the text that was being typed, then nil.
    mutating func newer() -> String? {
        guard index > 0 else { return nil }
        index -= 1
        return choices[index]
    }
}
