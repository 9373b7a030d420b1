import Catalogue
import EventLoop
import HTTP
import JSON
import SearchModel

/// The report on a trial call to a source and on the lookup of its first hit.
struct TrialReport {
    static let hitsShownMax = 3
    static let bodyCharactersMax = 1000
    static let snippetCharactersMax = 200

    private let source: Source
    private let account: AccountAccess
    private let page: PageRequest
    private let redactor: Redactor

    private(set) var lines: [String] = []
    private(set) var status = TrialStatus.found
    private(set) var item: ItemKey?

    init(_ source: Source, account: AccountAccess, page: PageRequest) {
        self.source = source
        self.account = account
        self.page = page
        redactor = account.redactor
    }

    mutating func asked(_ request: HTTPRequest) {
        add("\(request.method) \(request.url)")
        for field in request.fields.fields { add("\(field.name): \(field.value)") }
        if !request.body.isEmpty { add(String(decoding: request.body, as: UTF8.self)) }
        add("")
    }

    mutating func failed(_ error: SearchError) {
        let hint = error.kind == .badResponse ? "Compare “response” in the file with the body below." : error.hint
        add("The call failed: \(error.message)" + (hint.map { ". \($0)" } ?? ""))
        status = TrialStatus(of: error.kind)
    }

    mutating func answered(_ fetched: FetchedResponse, at now: Int64) {
        let response = fetched.response
        let type = response.fields["Content-Type"] ?? "no content type"
        let time = (fetched.metrics.elapsed.milliseconds * 10).rounded() / 10
        add("Response: \(response.status), \(type), \(response.body.count) bytes in \(time) ms.")
        do throws(SearchError) {
            let mapped = try source.page(from: response, for: page, account: account, at: now)
            report(mapped, source.elements(of: response, account: account))
        } catch {
            failed(error)
            addBody(response.body)
        }
    }

    mutating func lookedUp(_ item: ItemKey, _ fetched: FetchedResponse, at now: Int64) {
        do throws(SearchError) {
            let request = PageRequest(item: item)
            let record = try source.page(from: fetched.response, for: request, account: account, at: now)
            add("The lookup of the first hit returned:")
            for hit in record.hits { add(hit) }
        } catch {
            failed(error)
            status = .fileIsWrong
            addBody(fetched.response.body)
        }
    }

    private mutating func report(_ mapped: Page, _ found: (elements: [Source.Element], missing: String?)) {
        let elements = found.elements
        let hits = elements.compactMap(\.hit)
        let total = mapped.total.map { ", total \($0)" } ?? ""
        add("Elements: \(elements.count), hits: \(hits.count)\(total), \(mapped.isEnd ? "last page" : "more pages").")
        let unfilled = hits.isEmpty ? [] : source.unfilledFields(of: elements, in: mapped)
        if !unfilled.isEmpty { add("No hit has a value for \(unfilled.joined(separator: ", ")).") }
        if elements.isEmpty {
            add("No results. Try another query." + (found.missing.map { " If this query has results, \($0)." } ?? ""))
            status = .nothingFound
        } else if hits.isEmpty {
            status = .fileIsWrong
        }
        var shown = (hits: 0, others: 0)
        for (number, element) in zip(1..., elements) {
            if let hit = element.hit, shown.hits < Self.hitsShownMax {
                shown.hits += 1
                if source.hasLookup, item == nil { item = source.key(ofItem: hit.id, in: element.raw) }
                add("")
                addText(of: hit, number)
                add("mapped to:")
                add(hit)
                add("from:")
                addJSON(element.raw)
            } else if element.hit == nil, shown.others < Self.hitsShownMax {
                shown.others += 1
                add("")
                add("Element \(number) is not a hit, because hit.title and hit.url have no value:")
                addJSON(element.raw)
            }
        }
    }

    private mutating func add(_ line: String) {
        lines.append(SafeText.line(redactor.redacted(line)))
    }

    private mutating func add(_ hit: Hit) {
        var writer = JSONWriter()
        hit.write(to: &writer, withRaw: false)
        addJSON(writer.bytes)
    }

    private mutating func addText(of hit: Hit, _ number: Int) {
        add("\(number < 10 ? " " : "")\(number). \(hit.title)")
        let origin = [hit.source.text, hit.author, hit.published?.text, hit.url].compactMap(\.self)
        add("    " + origin.joined(separator: " · "))
        if let snippet = hit.snippet { add("    " + snippet.prefix(Self.snippetCharactersMax)) }
    }

    private mutating func addJSON(_ bytes: [UInt8]) {
        guard let document = try? JSONDocument(redactor.redacted(bytes, json: true)) else { return addBody(bytes) }
        lines += PrettyJSON.lines(document.root, margin: "  ")
    }

    /// Masks secrets before the text is cut, so that no part of a secret remains.
    private mutating func addBody(_ bytes: [UInt8]) {
        let text = String(decoding: redactor.redacted(bytes), as: UTF8.self)
        add("The body starts with:")
        for line in text.prefix(Self.bodyCharactersMax).split(whereSeparator: \.isNewline) { add("  \(line)") }
    }
}

/// The exit status of `searchd --check-source`.
enum TrialStatus: Int32 {
    case found = 0
    case nothingFound = 1
    case usage = 2
    case tryLater = 75
    case notAllowed = 77
    case fileIsWrong = 78

    init(of kind: SearchError.Kind) {
        switch kind {
        case .invalidParams: self = .usage
        case .notConfigured, .badResponse: self = .fileIsWrong
        case .unauthorized, .forbidden: self = .notAllowed
        default: self = .tryLater
        }
    }
}
