package import HTTP
import Hangul
import JSON
package import SearchModel

extension Source {
    /// Returns the hits of a response, or the item of a lookup; results and errors never contain secrets.
    ///
    /// `now` is in seconds since 1970; nil means the date of the response.
    package func page(
        from response: HTTPResponse,
        for request: PageRequest,
        account: AccountAccess,
        keepRaw: Bool = false,
        at now: Int64? = nil
    ) throws(SearchError) -> Page {
        if let item = request.item { return try record(of: item, from: response, account, keepRaw: keepRaw, at: now) }
        guard let document = try read(response, account, query: request.query.text, at: now) else {
            return Page(isEnd: true)
        }
        guard let elements = self.response.elements(of: document) else {
            throw unexpectedFormat(missing(document.root))
        }
        var page = page(of: elements, in: document, request, keepRaw: keepRaw)
        if isSearchedHere { page.keepHits(with: request.query) }
        page.pause = page.pause ?? RetryAfter.untilReset(response.fields, now: now ?? RetryAfter.date(response.fields))
        return page
    }

    /// Throws `notFound` if the response does not contain the item with the requested id.
    ///
    /// A source may read the key as several keys or as a filter. Then it may answer with another item.
    private func record(
        of item: ItemKey,
        from response: HTTPResponse,
        _ account: AccountAccess,
        keepRaw: Bool,
        at now: Int64?
    ) throws(SearchError) -> Page {
        if let lookup, let document = try read(response, account, query: nil, at: now) {
            let list = lookup.hits.first(from: document.root)
            let record = list?.kind == .array ? list?[0] : list
            var found: Hit?
            if let record { forEachHit(lookup.hit, at: [record.index], of: document) { found = $1 } }
            if let record, var hit = found, hit.id.hasSameBytes(as: id(of: item)) {
                // A copy, because a cached item must not keep the whole document in memory.
                if keepRaw { hit.raw = Array(record.text)[...] }
                return Page(hits: [hit], total: 1, totalIsEstimate: false, reachable: 1, isEnd: true)
            }
        }
        let hint = "The item may have been removed. Search for it again."
        throw SearchError(.notFound, "\(name) does not have this item", of: name, hint: hint)
    }

    package func id(of item: ItemKey) -> String { id(ofKey: item.text) }

    package func key(ofItem id: String, in document: [UInt8]) -> ItemKey? {
        [hit, lookup?.hit].lazy.compactMap { $0.flatMap { Self.key($0, ofDocument: document) }.flatMap { ItemKey($0) } }
            .first { self.id(of: $0).hasSameBytes(as: id) }
    }

    /// Returns nil if the requested page is after the last page.
    func read(
        _ response: HTTPResponse,
        _ account: AccountAccess,
        query: String?,
        at now: Int64?
    ) throws(SearchError) -> JSONDocument? {
        var response = response
        let redacted = account.redactor.redacted(response.body, json: true)
        response.body = dropsEmails ? EmailAddresses.masked(redacted) : redacted
        // Some servers send a byte order mark, which JSON does not allow.
        if response.body.starts(with: [0xEF, 0xBB, 0xBF]) { response.body.removeFirst(3) }
        if self.response.isXML {
            do throws(XMLReader.Failure) {
                response.body = try XMLReader.json(of: response.body)
            } catch {
                if (200...299).contains(response.status) {
                    throw unexpectedFormat("\(error.message) at byte \(error.offset)")
                }
            }
        }
        let document = Result { () throws(JSONError) in try JSONDocument(response.body) }
        if try isEnd(response, try? document.get(), account, query: query, at: now) { return nil }
        switch document {
        case .failure(let error): throw unexpectedFormat(Self.reason(error, response.body))
        case .success(let document):
            if let condition = self.response.must.first(where: { !$0.holds(of: document.root) }) {
                throw unexpectedFormat(condition.failure)
            }
            return document
        }
    }

    private static func reason(_ error: JSONError, _ body: [UInt8]) -> String {
        guard let first = body.first(where: { $0 > 0x20 }) else { return "empty" }
        return first == UInt8(ascii: "<") ? "HTML or XML" : "\(error.message) at byte \(error.offset)"
    }

    func missing(_ root: JSONCursor) -> String {
        var (found, at) = (root, [String]())
        for name in response.hits.first?.namesBeforeSelection ?? [] {
            guard let next = found[name] else { break }
            (found, at) = (next, at + [name])
        }
        let names = found.members.prefix(Self.namesShownMax).map { String($0.name.prefix(Self.nameCharactersMax)) }
        let place = at.isEmpty ? "the response" : "“\(at.joined(separator: "."))”"
        let message = "it has no list of hits" + (at.isEmpty ? "" : " in \(place)")
        if found.kind == .array { return message + "; \(place) is a list itself" }
        return message + (names.isEmpty ? "" : "; there are: " + names.joined(separator: ", "))
    }

    private static let (namesShownMax, nameCharactersMax) = (12, 30)

    func unexpectedFormat(_ reason: String) -> SearchError {
        SearchError(
            .badResponse,
            "\(name) answered in an unexpected format: \(reason)",
            source: name,
            retryable: true,
            hint: "Try again. If the error persists, the source has changed. Then its file must be updated."
        )
    }

    private func page(of elements: [Int], in document: JSONDocument, _ request: PageRequest, keepRaw: Bool) -> Page {
        let repeated = paging.repeated(on: request.page)
        let (count, begin) = (max(0, elements.count - repeated), request.page * paging.size)
        // The first page is never past the end, because a source may report zero reachable hits on it.
        let ends = request.page == 0 ? [] : [response.reachable, response.end.behind].compactMap(document.root.count)
        let isPast = ends.contains { begin >= $0 }
        var page = Page(response, paging, document.root, page: request.page, count: count, isPast: isPast)
        // Some sources repeat their last page if a later page is requested.
        guard !isPast else { return page }
        let own = elements.prefix(paging.size).dropFirst(repeated)
        page.hits.reserveCapacity(own.count)
        forEachHit(hit, at: own, of: document, keepRaw: keepRaw, firstRank: begin + 1) { _, hit in
            if let hit { page.hits.append(hit) }
        }
        return page
    }
}

extension Page {
    private static let pagesMax = 1_000_000_000

    /// Reads the total, the reachable hits, the pause, and whether this is the last page.
    fileprivate init(_ shape: ResponseShape, _ paging: Paging, _ root: JSONCursor, page: Int, count: Int, isPast: Bool)
    {
        func number(_ path: FieldPath?) -> Int? { root.count(at: path) }
        self.init(total: number(shape.total), totalIsEstimate: shape.totalIsEstimate, isEnd: count == 0 || isPast)
        pause = number(shape.pause).map { .seconds(min(Int64($0), RetryAfter.secondsMax)) }
        let (named, pages) = (number(shape.reachable), number(shape.end.pages))
        let next = (page + 1) * paging.size
        if let pagesMax = paging.pagesMax, page + 1 >= pagesMax { isEnd = true }
        if let named, next >= named { isEnd = true }
        if let pages, page + 1 >= pages { isEnd = true }
        if shape.end.pastTotal, let total, next >= total { isEnd = true }
        if shape.end.shortPage, count < paging.size { isEnd = true }
        if shape.end.wholeOnFirst, page == 0, count < paging.size, let total, total <= count { isEnd = true }
        if let path = shape.end.whenTrue, path.first(from: root)?.scalarText == "true" { isEnd = true }
        if let path = shape.end.whenFalse, path.first(from: root)?.scalarText == "false" { isEnd = true }
        let signs = shape.end.whenAbsent
        if !signs.isEmpty, signs.allSatisfy({ $0.first(from: root)?.isNull ?? true }) { isEnd = true }
        if paging.style == .single {
            reachable = min(count, paging.size)
        } else {
            let onPages = pages.map { min($0, Self.pagesMax) * paging.size }
            reachable = [named, onPages, paging.itemsMax].compactMap(\.self).min()
            if let total, let most = reachable { reachable = min(most, total) }
        }
    }

    fileprivate mutating func keepHits(with query: SearchQuery) {
        let words = query.text.split(separator: " ").map { FoldedBytes(String($0)).bytes }
        hits.removeAll { hit in
            let text = FoldedBytes([hit.title, hit.snippet ?? "", hit.author ?? ""].joined(separator: "\n")).bytes
            return words.contains { !$0.isEmpty && text.span.index(of: $0.span) == nil }
        }
        (total, totalIsEstimate, reachable) = (hits.count, false, hits.count)
    }
}
