/// One comparison of `numericFilters`: a hit's figure against a number.
struct NumericFilter: Equatable, Sendable {
    enum Figure: String, Sendable {
        case created = "created_at_i"
        case points
        case comments = "num_comments"
    }

    enum Comparison: String, CaseIterable, Sendable {
        case atLeast = ">="
        case atMost = "<="
        case unequal = "!="
        case above = ">"
        case below = "<"
        case equal = "="
    }

    let figure: Figure
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
        guard let figure = Figure(rawValue: String(text[..<cut])),
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
