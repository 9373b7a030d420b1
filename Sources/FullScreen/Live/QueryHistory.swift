import JSON

/// The earlier queries, which the arrow keys show.
struct QueryHistory {
    static let countMax = 500

    private(set) var queries: [String] = []
    /// The typed text, then the earlier queries.
    ///
    /// Empty until the user presses an arrow key.
    private var choices: [String] = []
    private var index = 0

    mutating func replace(_ queries: [String]) { self.queries = Array(queries.prefix(Self.countMax)) }

    mutating func add(_ query: String) {
        reset()
        if !query.isEmpty { replace([query] + queries.filter { !$0.hasSameBytes(as: query) }) }
    }

    mutating func reset() { (choices, index) = ([], 0) }

    mutating func older(than text: String) -> String? {
        if choices.isEmpty { choices = [text] + queries.filter { !$0.hasSameBytes(as: text) } }
        guard index + 1 < choices.count else { return nil }
        index += 1
        return choices[index]
    }

    mutating func newer() -> String? {
        guard index > 0 else { return nil }
        index -= 1
        return choices[index]
    }
}
