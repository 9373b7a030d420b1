import JSON
import RPC
import SearchModel

/// Turns what arrives of a search into what is printed; pure.
struct SearchPresenter {
    /// How a hit is written.
    enum Form {
        /// `isVisible`: for a terminal, on which nothing may stand that drives it.
        case json(isVisible: Bool)
        case text(HitText)
        case lines(LineFormat)
    }

    /// When a hit is written.
    enum Timing {
        /// As it comes: of one source.
        case atOnce
        /// As it comes, up to its source's part of the lines; the others after the final answer, in its order.
        case shared
        /// After the final answer, which says which hits make up the window and in which order.
        case merged
    }

    private let form: Form
    private let timing: Timing
    private let firstNumber: Int
    private let dates: DateRange?
    private let foundMax: Int
    /// In the order of their arrival; only when they wait for the final answer.
    private var waiting: [JSONCursor] = []
    private var shares = FairShares()
    /// The hits that were printed.
    private(set) var printed: [JSONCursor] = []
    /// How many came since the last final answer, wanted or not.
    private var came = 0
    /// How many came before the last final answer and after the one before it.
    private(set) var cameLast = 0

    /// - Parameters:
    ///   - form: How hits are written.
    ///   - timing: When.
    ///   - firstNumber: The number of the first one.
    ///   - dates: Passes over those that were not published within.
    ///   - foundMax: Prints no more than these.
    init(_ form: Form, _ timing: Timing, firstNumber: Int, dates: DateRange?, foundMax: Int) {
        self.form = form
        self.timing = timing
        self.firstNumber = firstNumber
        self.dates = dates
        self.foundMax = foundMax
    }

    var found: Int { printed.count }
    var isFull: Bool { found >= foundMax }

    /// What stands before the first hit and behind the last one.
    var frame: (opening: [UInt8], closing: [UInt8]) {
        guard case .lines(let format) = form else { return ([], []) }
        return (Array(format.opening.utf8), Array(format.closing.utf8))
    }

    /// A page is asked for, of at most so many hits.
    mutating func begin(pageSize: Int) {
        shares.begin(lines: min(pageSize, foundMax - found))
    }

    /// Takes a `search/progress` notification.
    mutating func received(progress params: JSONCursor) {
        shares.received(progress: params)
    }

    /// Takes a `search/hits` notification; what is to be printed now.
    mutating func received(hits params: JSONCursor?) -> [UInt8] {
        take(params?[.hits])
    }

    /// A line for each hit of a notification that waits for the final answer and is for a person to read.
    func preview(of params: JSONCursor) -> [String] {
        guard case .text(let text) = form, case .merged = timing else { return [] }
        return (params[.hits]?.elements ?? []).map(FoundHit.init).filter(isWanted).map(text.preview)
    }

    /// Takes the final answer of a page; what is to be printed of it at last.
    mutating func finished(_ result: JSONCursor, _ report: SearchReport) -> [UInt8] {
        // A daemon that does not stream sends them all here.
        var text = take(result[.hits])
        let ordered = report.order.map { Self.sort(waiting, by: $0) } ?? waiting
        for hit in ordered where !shares.isPrinted(hit, sameAs: report.sameAs) {
            let alsoFrom = hit[.id]?.string.flatMap { report.alsoFrom[$0] }
            text.append(contentsOf: write(alsoFrom.map { Self.hit(hit, alsoFrom: $0) } ?? hit))
        }
        waiting = []
        cameLast = came
        came = 0
        return text
    }

    private mutating func take(_ hits: JSONCursor?) -> [UInt8] {
        var text: [UInt8] = []
        for hit in hits?.elements ?? [] {
            came += 1
            switch timing {
            case .atOnce: text.append(contentsOf: write(hit))
            case .shared where shares.mayPrintNow(hit): text.append(contentsOf: write(hit))
            case .shared, .merged: waiting.append(hit)
            }
        }
        return text
    }

    private func isWanted(_ hit: FoundHit) -> Bool {
        dates.map { $0.contains(hit.publishedTime) } ?? true
    }

    /// Writes a hit if it is wanted.
    private mutating func write(_ hit: JSONCursor) -> [UInt8] {
        guard !isFull, isWanted(FoundHit(hit)) else { return [] }
        let number = firstNumber + found
        printed.append(hit)
        if case .shared = timing { shares.printed(hit) }
        return switch form {
        case .json(let isVisible):
            (isVisible ? VisibleJSON.visible(hit.text) : Array(hit.text)) + [UInt8(ascii: "\n")]
        case .text(let text): Array(text.text(FoundHit(hit), number: number).utf8)
        case .lines(let format): Array(format.text(hit, number: number, isFirst: found == 1).utf8)
        }
    }

    /// A hit as a daemon would have told it that knew then which other sources have it.
    private static func hit(_ hit: JSONCursor, alsoFrom: JSONValue) -> JSONCursor {
        var members = hit.members.filter { $0.name != Member.alsoFrom.description }.map {
            JSONMember($0.name, $0.value.value)
        }
        let index = members.firstIndex { $0.name == Member.raw.description } ?? members.count
        members.insert(JSONMember(.alsoFrom, alsoFrom), at: index)
        return (try? JSONDocument(JSONValue.object(members).bytes).root) ?? hit
    }

    /// The hits in merged order; one that the order leaves out is outside of the window, or the same as another.
    private static func sort(_ hits: [JSONCursor], by order: [String]) -> [JSONCursor] {
        let byID = Dictionary(hits.map { ($0[.id]?.string ?? "", $0) }, uniquingKeysWith: { first, _ in first })
        return order.compactMap { byID[$0] }
    }
}
