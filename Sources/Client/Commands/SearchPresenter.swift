import JSON

/// Turns what arrives of a search into what is printed; pure.
struct SearchPresenter {
    /// How a hit is written.
    enum Form {
        /// `isVisible`: for a terminal, on which nothing may stand that drives it.
        case json(isVisible: Bool)
        case text(HitText)
    }

    /// When a hit is written.
    enum Timing {
        /// As it comes.
        case atOnce
        /// After the final answer, which says which hits make up the window and in which order.
        case merged
    }

    private let form: Form
    private let timing: Timing
    private let firstNumber: Int
    /// In the order of their arrival; only when they wait for the final answer.
    private var waiting: [JSONCursor] = []
    /// How many hits there are, printed or not.
    private(set) var found = 0

    init(_ form: Form, _ timing: Timing, firstNumber: Int) {
        self.form = form
        self.timing = timing
        self.firstNumber = firstNumber
    }

    /// Takes a `search/hits` notification; what is to be printed now.
    mutating func received(hits params: JSONCursor?) -> [UInt8] {
        take(params?["hits"])
    }

    /// Takes the final answer; what is to be printed last.
    mutating func finished(_ result: JSONCursor, _ report: SearchReport) -> [UInt8] {
        // A daemon that does not stream sends them all here.
        let late = take(result["hits"])
        guard timing == .merged else { return late }
        let ordered = report.order.map { Self.sort(waiting, by: $0) } ?? waiting
        found = ordered.count
        return ordered.enumerated().flatMap { written($1, number: firstNumber + $0) }
    }

    private mutating func take(_ hits: JSONCursor?) -> [UInt8] {
        var printed: [UInt8] = []
        hits?.forEachElement { hit in
            switch timing {
            case .atOnce: printed.append(contentsOf: written(hit, number: firstNumber + found))
            case .merged: waiting.append(hit)
            }
            found += 1
        }
        return printed
    }

    private func written(_ hit: JSONCursor, number: Int) -> [UInt8] {
        switch form {
        case .json(let isVisible): (isVisible ? VisibleJSON.visible(hit.text) : Array(hit.text)) + [UInt8(ascii: "\n")]
        case .text(let text): Array(text.text(FoundHit(hit), number: number).utf8)
        }
    }

    /// The hits in merged order; one that the order leaves out is outside of the window, or the same as another.
    private static func sort(_ hits: [JSONCursor], by order: [String]) -> [JSONCursor] {
        let byID = Dictionary(hits.map { ($0["id"]?.string ?? "", $0) }, uniquingKeysWith: { first, _ in first })
        return order.compactMap { byID[$0] }
    }
}
