import Catalogue
import EventLoop
import HTTP
import JSON
import SearchModel

/// What a trial of a source came to: the request, the answer, and the hits beside what they were made of; pure.
struct TrialReport {
    static let hitsShownMax = 3
    static let bodyCharactersMax = 1000

    private let source: Source
    private let account: AccountAccess
    private let page: PageRequest
    private let redactor: Redactor

    private(set) var lines: [String] = []
    private(set) var status = TrialStatus.found
    /// The first hit, when the source can be asked for it alone.
    private(set) var item: ItemKey?

    init(_ source: Source, account: AccountAccess, page: PageRequest) {
        self.source = source
        self.account = account
        self.page = page
        redactor = account.redactor
    }

    /// The request, with its secrets masked.
    mutating func asked(_ request: HTTPRequest) {
        add("\(request.method) \(request.url)")
        for field in request.fields.fields { add("\(field.name): \(field.value)") }
        if !request.body.isEmpty { add(String(decoding: request.body, as: UTF8.self)) }
        add("")
    }

    /// There was no answer.
    mutating func failed(_ error: SearchError) {
        add("It failed: \(error.message)" + (error.hint.map { ". \($0)" } ?? ""))
        status = TrialStatus(of: error.kind)
    }

    /// The answer, and what the file makes of it.
    mutating func answered(_ fetched: FetchedResponse, at now: Int64) {
        let response = fetched.response
        let type = response.fields["Content-Type"] ?? "no content type"
        let time = (fetched.metrics.elapsed.milliseconds * 10).rounded() / 10
        add("It answered \(response.status), \(type), \(response.body.count) bytes in \(time) ms.")
        do throws(SearchError) {
            let mapped = try source.page(from: response, for: page, account: account, at: now)
            report(mapped, source.elements(of: response, account: account) ?? [])
        } catch {
            failed(error)
            add("Its body begins so:")
            addBody(response.body)
        }
    }

    /// The answer to a lookup of the first hit, by its key.
    mutating func lookedUp(_ item: ItemKey, _ fetched: FetchedResponse, at now: Int64) {
        do throws(SearchError) {
            let page = PageRequest(item: item)
            let record = try source.page(from: fetched.response, for: page, account: account, at: now)
            add("Looked up by its key, the first hit becomes:")
            for hit in record.hits { add(hit) }
        } catch {
            failed(error)
            status = .fileIsWrong
            add("The answer to the lookup begins so:")
            addBody(fetched.response.body)
        }
    }

    private mutating func report(_ mapped: Page, _ elements: [Source.Element]) {
        let hits = elements.compactMap(\.hit)
        var summary = "It has \(elements.count) elements, which become \(hits.count) hits"
        if let total = mapped.total { summary += "; it claims \(total) in all" }
        add(summary + (mapped.isEnd ? "; this is the last page." : "; there are more pages."))
        if !hits.isEmpty {
            let unfilled = source.unfilledFields(of: hits).map { "hit.\($0)" }
            if !unfilled.isEmpty { add("No hit has a value for \(unfilled.joined(separator: ", ")).") }
        }
        if elements.isEmpty {
            add("Nothing was found: try a query that finds something.")
            status = .nothingFound
        } else if hits.isEmpty {
            status = .fileIsWrong
        }
        let numbered = elements.enumerated().map { (number: $0.offset + 1, element: $0.element) }
        for (number, element) in numbered.filter({ $0.element.hit != nil }).prefix(Self.hitsShownMax) {
            guard let hit = element.hit else { continue }
            if source.hasLookup, item == nil { item = source.key(ofItem: hit.id, in: element.raw) }
            add("")
            add("Hit \(number):")
            add(hit)
            add("made of:")
            addJSON(element.raw)
        }
        for (number, element) in numbered.filter({ $0.element.hit == nil }).prefix(Self.hitsShownMax) {
            add("")
            add("Element \(number) becomes no hit, since it has a value neither for hit.title nor for hit.url:")
            addJSON(element.raw)
        }
    }

    // MARK: Lines

    private mutating func add(_ line: String) {
        lines.append(SafeText.line(redactor.redacted(line)))
    }

    private mutating func add(_ hit: Hit) {
        var writer = JSONWriter()
        hit.write(to: &writer, withRaw: false)
        addJSON(writer.bytes)
    }

    private mutating func addJSON(_ bytes: [UInt8]) {
        guard let document = try? JSONDocument(redactor.redacted(bytes, json: true)) else { return addBody(bytes) }
        lines += PrettyJSON.lines(document.root, margin: "  ")
    }

    private mutating func addBody(_ bytes: [UInt8]) {
        // Redacted before it is cut, so that no part of a secret is left at the end.
        let text = String(decoding: redactor.redacted(bytes), as: UTF8.self)
        for line in text.prefix(Self.bodyCharactersMax).split(whereSeparator: \.isNewline) {
            lines.append("  " + SafeText.line(String(line)))
        }
        if text.count > Self.bodyCharactersMax { lines.append("  …") }
    }
}

/// How `searchd --check-source` ends: as `searchctl sources check` must.
struct TrialStatus: Equatable {
    static let found = TrialStatus(number: 0)
    static let nothingFound = TrialStatus(number: 1)
    static let usage = TrialStatus(number: 2)
    static let tryLater = TrialStatus(number: 75)
    static let notAllowed = TrialStatus(number: 77)
    static let fileIsWrong = TrialStatus(number: 78)

    let number: Int32

    init(number: Int32) {
        self.number = number
    }

    /// The status for an error of a kind; an answer that is not of the source's format is the file's fault.
    init(of kind: SearchError.Kind) {
        switch kind {
        case .invalidParams: self = .usage
        case .notConfigured, .badResponse: self = .fileIsWrong
        case .unauthorized, .forbidden: self = .notAllowed
        default: self = .tryLater
        }
    }
}
