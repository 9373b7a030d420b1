/// One comparison of `numericFilters`: a hit's figure against a number.
struct NumericFilter: Equatable, Sendable {
    enum Comparison: String, CaseIterable, Sendable {
        case atLeast = ">="
        case atMost = "<="
        case unequal = "!="
        case above = ">"
        case below = "<"
        case equal = "="
    }

    let figure: String
    let comparison: Comparison
    let number: Int

    /// A list with commas, all of which must hold; nil when one is not a comparison.
    static func list(_ text: String) -> [NumericFilter]? {
        let parts = text.split(separator: ",")
        let filters = parts.compactMap(NumericFilter.init)
        return filters.count == parts.count ? filters : nil
    }

    private init?(_ text: Substring) {
        let cut = text.firstIndex { "<>=!".contains($0) } ?? text.endIndex
        let rest = text[cut...]
        let figure = String(text[..<cut])
        guard ["created_at_i", "points", "num_comments"].contains(figure),
            let comparison = Comparison.allCases.first(where: { rest.hasPrefix($0.rawValue) }),
            let number = Int(rest.dropFirst(comparison.rawValue.utf8.count))
        else { return nil }
        self.figure = figure
        self.comparison = comparison
        self.number = number
    }

    func holds(for value: Int) -> Bool {
        switch comparison {
        case .atLeast: value >= number
        case .atMost: value <= number
        case .unequal: value != number
        case .above: value > number
        case .below: value < number
        case .equal: value == number
        }
    }
}
