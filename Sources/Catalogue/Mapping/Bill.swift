package import HTTP
import JSON
package import SearchModel

/// The price of a call and the remaining quotas, as the response states them; the keys are names of quotas.
package struct Bill: Equatable, Sendable {
    /// If a quota is missing here, its declared `cost` is charged.
    package var costs: [String: Int] = [:]
    package var left: [String: Int] = [:]

    package init() {}
}

extension Source {
    /// Throws `badResponse` if the source's file expects a price, and a successful answer has no valid price.
    package func bill(
        for response: HTTPResponse,
        _ outcome: Result<Page, SearchError>,
        quotas: [Quota]
    ) throws(SearchError) -> Bill {
        var bill = Bill()
        guard quotas.contains(where: \.readsAnswers) else { return bill }
        let answer = (response.fields, (try? JSONDocument(response.body))?.root)
        for quota in quotas {
            if quota.isFree(answer, outcome, status: response.status) {
                bill.costs[quota.name] = 0
            } else if let price = quota.price {
                do throws(AnswerAmount.Fault) {
                    bill.costs[quota.name] = try price.read(answer, of: quota)
                } catch {
                    if case .success = outcome { throw unexpectedFormat("its price \(error.text)") }
                }
            }
            if let left = try? quota.left?.read(answer, of: quota) { bill.left[quota.name] = left }
        }
        return bill
    }
}

typealias PricedAnswer = (fields: HTTPFields, root: JSONCursor?)

extension Quota {
    fileprivate var readsAnswers: Bool { !free.isEmpty || price != nil || left != nil }

    /// A call with an unreadable answer is not free, because the source may charge it.
    fileprivate func isFree(_ answer: PricedAnswer, _ outcome: Result<Page, SearchError>, status: Int) -> Bool {
        free.contains { calls in
            switch (calls, outcome) {
            case (.failed, .failure(let error)): error.kind != .badResponse || !(200...299).contains(status)
            case (.empty, .success(let page)): page.hits.isEmpty
            case (.failed, .success), (.empty, .failure): false
            case (.withText(let text, let place), _): place.text(in: answer)?.hasSameBytes(as: text) == true
            }
        }
    }
}

/// The calls that a source does not charge.
enum FreeCalls: Equatable {
    case failed
    case empty
    case withText(String, AnswerPlace)

    init(_ declared: Declared) throws(CatalogueError) {
        if declared.node.members == nil {
            self = try declared.word([("failed", .failed), ("empty", .empty)])
        } else {
            let object = try declared.fields(["member", "header", "is"])
            let place = try AnswerPlace(object)
            self = .withText(try object.required("is").string(), place)
        }
    }
}

enum AnswerPlace: Equatable, Sendable {
    case member(FieldPath)
    case header(String)

    init(_ object: DeclaredObject) throws(CatalogueError) {
        if let header = object["header"] {
            self = .header(try header.string())
        } else {
            self = .member(try FieldPath(object.required("member")))
        }
    }

    func text(in answer: PricedAnswer) -> String? {
        switch self {
        case .member(let path): answer.root.flatMap { path.first(from: $0)?.scalarText }
        case .header(let name): answer.fields[name]
        }
    }
}

struct AnswerAmount: Equatable, Sendable {
    struct Fault: Error { let text: String }

    private static let priceMax = 1_000_000

    let place: AnswerPlace
    private let currency: AnswerPlace?
    /// The position in a header with several values, counted from 1.
    private let item: Int
    /// The price of one unit, if the answer counts credits or calls.
    private let each: Amount?
    /// The header with the limit; 0 in this header means no limit.
    private let limit: String?

    init(_ declared: Declared) throws(CatalogueError) {
        let object = try declared.fields(["member", "header", "item", "each", "currency", "limit"])
        place = try AnswerPlace(object)
        item = declared.part(try object["item"]?.integer(in: 1...9)) ?? 1
        each = declared.part(try object["each"].map(Amount.init))
        limit = declared.part(try object["limit"]?.string())
        currency = declared.part(try object["currency"].map(FieldPath.init)).map { .member($0) }
    }

    func read(_ answer: PricedAnswer, of quota: Quota) throws(Fault) -> Int {
        guard let whole = place.text(in: answer) else { throw Fault(text: "is missing") }
        if let limit, self.item(of: answer.fields[limit]) == "0" { throw Fault(text: "has no limit") }
        let text = if case .header = place { item(of: whole) } else { whole }
        let parts = (text ?? "").split(separator: " ")
        guard let number = parts.first, parts.count <= 2 else { throw Fault(text: "is not a number") }
        let named = currency.map { $0.text(in: answer) ?? "an unknown currency" }
        for name in [named, parts.count == 2 ? String(parts[1]) : nil].compactMap(\.self) where name != quota.currency {
            throw Fault(text: "is not in \(quota.currency ?? "calls")")
        }
        guard let read = Money.read(number) else {
            throw Fault(text: number.hasPrefix("-") ? "is negative" : "is not a number up to \(Self.priceMax)")
        }
        let scale = each?.count ?? (quota.currency == nil ? 1 : Money.scale)
        let (product, isHuge) = read.millionths.multipliedReportingOverflow(by: scale)
        guard !isHuge, product / Money.scale <= Self.priceMax * Money.scale else {
            throw Fault(text: "is over \(Self.priceMax)")
        }
        return product / Money.scale + (product % Money.scale == 0 ? 0 : 1)
    }

    private func item(of header: String?) -> String? {
        let values = (header ?? "").split(separator: ",")
        return values.indices.contains(item - 1) ? String(values[item - 1].drop { $0 == " " }) : nil
    }
}
