import JSON
import RPC
import SearchModel

/// Collects the hits of a search and formats them.
struct SearchPresenter {
    /// True to print hits when they arrive, false to print them in order after the final answer.
    let isStreamed: Bool
    let firstNumber: Int
    let foundMax: Int
    /// In seconds since 1970.
    let now: Int64
    let write: (JSONCursor, Int) -> [UInt8]
    private(set) var waiting: [JSONCursor] = []
    private(set) var printed: [JSONCursor] = []
    private(set) var lastHadHits = false

    var found: Int { printed.count }
    var isFull: Bool { found >= foundMax }

    mutating func begin() { lastHadHits = false }

    mutating func take(_ hits: JSONCursor?) -> [UInt8] {
        var text: [UInt8] = []
        for hit in hits?.elements ?? [] {
            lastHadHits = true
            if isStreamed { text += written(hit) } else { waiting.append(hit) }
        }
        return text
    }

    mutating func finished(_ result: JSONCursor, _ report: SearchReport) -> [UInt8] {
        var text = take(result[.hits])
        for hit in report.order.map({ Self.sort(waiting, by: $0) }) ?? waiting {
            text += written(completed(hit, report))
        }
        waiting = []
        return text
    }

    mutating func interrupted() -> [UInt8] {
        let ranked = waiting.enumerated().sorted { left, right in
            (left.element[.rank]?.int ?? .max, left.offset) < (right.element[.rank]?.int ?? .max, right.offset)
        }
        waiting = []
        return ranked.flatMap { written($0.element) }
    }

    private mutating func written(_ hit: JSONCursor) -> [UInt8] {
        guard !isFull else { return [] }
        printed.append(hit)
        return write(hit, firstNumber + found - 1)
    }

    private func completed(_ hit: JSONCursor, _ report: SearchReport) -> JSONCursor {
        let id = hit[.id]?.string ?? ""
        var members: [JSONMember] = []
        if let others = report.alsoFrom[id] { members.append(JSONMember(.alsoFrom, others)) }
        if report.saved.contains(ExactText(id)) { members.append(JSONMember(.saved, true)) }
        if let age = report.age(of: hit, at: now) { members.append(JSONMember(.age, .number(JSONNumber(Int(age))))) }
        return hit.adding(members)
    }

    private static func sort(_ hits: [JSONCursor], by order: [String]) -> [JSONCursor] {
        let byID = Dictionary(hits.map { ($0[.id]?.string ?? "", $0) }, uniquingKeysWith: { first, _ in first })
        return order.compactMap { byID[$0] }
    }
}
