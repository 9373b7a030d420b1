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
        case lines(LineFormat, LocalZone)
    }

    private let form: Form
    /// Whether each hit is written as it comes; else when the final answer has said where it belongs.
    private let isStreamed: Bool
    private let firstNumber: Int
    private let foundMax: Int
    /// Seconds since 1970.
    private let now: Int64
    /// In the order of their arrival; only when they wait for the final answer.
    private var waiting: [JSONCursor] = []
    /// The hits that were printed.
    private(set) var printed: [JSONCursor] = []
    /// Whether the last page had hits.
    private(set) var lastHadHits = false

    /// - Parameters:
    ///   - form: How hits are written.
    ///   - isStreamed: Whether each is written as it comes.
    ///   - firstNumber: The number of the first one.
    ///   - foundMax: Prints no more than these.
    ///   - now: Seconds since 1970.
    init(
        _ form: Form,
        isStreamed: Bool,
        firstNumber: Int,
        foundMax: Int,
        now: Int64 = 0
    ) {
        self.form = form
        self.isStreamed = isStreamed
        self.firstNumber = firstNumber
        self.foundMax = foundMax
        self.now = now
    }

    var found: Int { printed.count }
    var isFull: Bool { found >= foundMax }

    /// A page is asked for.
    mutating func begin() {
        lastHadHits = false
    }

    /// Takes a `search/hits` notification; what is to be printed now.
    mutating func received(hits params: JSONCursor?) -> [UInt8] {
        take(params?[.hits])
    }

    /// Takes the final answer of a page; what is to be printed of it at last.
    mutating func finished(_ result: JSONCursor, _ report: SearchReport) -> [UInt8] {
        // A daemon that does not stream sends them all here.
        var text = take(result[.hits])
        for hit in report.order.map({ Self.sort(waiting, by: $0) }) ?? waiting {
            let id = hit[.id]?.string ?? ""
            let joined = report.alsoFrom[id].map { Self.hit(hit, alsoFrom: $0) } ?? hit
            var additions = report.saved.contains(ExactText(id)) ? [JSONMember(.saved, true)] : []
            if let age = report.age(of: hit, at: now) {
                additions.append(JSONMember(.age, .number(JSONNumber(Int(age)))))
            }
            text.append(contentsOf: write(Self.hit(joined, with: additions)))
        }
        waiting = []
        return text
    }

    /// What is to be printed when no final answer comes: what is there, the first ones of each source first.
    mutating func interrupted() -> [UInt8] {
        let ranked = waiting.enumerated().sorted { left, right in
            (left.element[.rank]?.int ?? .max, left.offset) < (right.element[.rank]?.int ?? .max, right.offset)
        }
        waiting = []
        return ranked.flatMap { write($0.element) }
    }

    private mutating func take(_ hits: JSONCursor?) -> [UInt8] {
        var text: [UInt8] = []
        for hit in hits?.elements ?? [] {
            lastHadHits = true
            if isStreamed { text.append(contentsOf: write(hit)) } else { waiting.append(hit) }
        }
        return text
    }

    /// Writes a hit as long as there are not enough.
    private mutating func write(_ hit: JSONCursor) -> [UInt8] {
        guard !isFull else { return [] }
        let number = firstNumber + found
        printed.append(hit)
        return switch form {
        case .json(let isVisible):
            VisibleJSON.line(hit.text, isTerminal: isVisible)
        case .text(let text): Array(text.text(FoundHit(hit), number: number).utf8)
        case .lines(let format, let zone):
            Array(format.text(hit, number: number, zone: zone).utf8)
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

    /// A hit that also says whether it is saved, or how old it is.
    private static func hit(_ hit: JSONCursor, with additions: [JSONMember]) -> JSONCursor {
        guard !additions.isEmpty else { return hit }
        let members = (hit.value.members ?? []) + additions
        return (try? JSONDocument(JSONValue.object(members).bytes).root) ?? hit
    }

    /// The hits in merged order; one that the order leaves out is outside of the window, or the same as another.
    private static func sort(_ hits: [JSONCursor], by order: [String]) -> [JSONCursor] {
        let byID = Dictionary(hits.map { ($0[.id]?.string ?? "", $0) }, uniquingKeysWith: { first, _ in first })
        return order.compactMap { byID[$0] }
    }
}
