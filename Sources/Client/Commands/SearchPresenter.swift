import JSON

/// Turns what arrives of a search into what is printed. Pure.
///
/// Lines of JSON go out as they come, and so do hits for people when they come in their order; else these wait for the
/// final answer, which says the order.
struct SearchPresenter {
    /// How hits are written.
    enum Form {
        /// `isVisible`: for a terminal, on which nothing may stand that drives it.
        case json(isVisible: Bool)
        case text(HitText, arrivesInOrder: Bool)
    }

    private let form: Form
    private let firstNumber: Int
    /// In the order of their arrival; only when they wait for the final answer.
    private var waiting: [FoundHit] = []
    /// How many hits there are, printed or not.
    private(set) var found = 0

    init(_ form: Form, firstNumber: Int) {
        self.form = form
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
        guard case .text(let text, arrivesInOrder: false) = form else { return late }
        let ordered = report.order.map { Self.sort(waiting, by: $0) } ?? waiting
        found = ordered.count
        return ordered.enumerated().flatMap { Array(text.text($1, number: firstNumber + $0).utf8) }
    }

    private mutating func take(_ hits: JSONCursor?) -> [UInt8] {
        var printed: [UInt8] = []
        hits?.forEachElement { hit in
            switch form {
            case .json(let isVisible):
                printed.append(contentsOf: isVisible ? VisibleJSON.visible(hit.text)[...] : hit.text)
                printed.append(UInt8(ascii: "\n"))
            case .text(let text, arrivesInOrder: true):
                printed.append(contentsOf: text.text(FoundHit(hit), number: firstNumber + found).utf8)
            case .text(_, arrivesInOrder: false):
                waiting.append(FoundHit(hit))
            }
            found += 1
        }
        return printed
    }

    /// The hits in merged order; one that the order leaves out is the same as another and not shown.
    private static func sort(_ hits: [FoundHit], by order: [String]) -> [FoundHit] {
        let byID = Dictionary(hits.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return order.compactMap { byID[$0] }
    }
}
