import HTTP
import JSON
import Sandbox
import SearchModel
import Testing

@testable import Catalogue

/// Lets every source read responses with missing, wrong or huge members.
struct HostileShapesTests {
    private static let names = builtIn.sources.keys.map(\.text).sorted()

    private static let values: [JSONValue?] = [
        nil, .null, true, -1, 12, "", "x", "<b", "&#0;&#x110000;\u{7}\u{202E}", [], [[]], [nil, 5], ["", "a"],
        .object([]),
        ["deep": ["deeper": [["deepest": "x"]]]], .string(String(repeating: "고양이 <b>", count: 600)),
        .array(Array(repeating: "many", count: 100)),
    ]

    private func variants(of value: JSONValue, depth: Int = 0) -> [JSONValue] {
        if depth > 0, let elements = value.array, let first = elements.first {
            return variants(of: first, depth: depth + 1).map { .array([$0]) }
        }
        guard depth < 3, let members = value.members else { return [] }
        return members.indices.flatMap { index -> [JSONValue] in
            let member = members[index]
            func replaced(_ other: JSONValue?) -> JSONValue {
                var changed = members
                if let other { changed[index] = JSONMember(member.name, other) } else { changed.remove(at: index) }
                return .object(changed)
            }
            return Self.values.map(replaced) + variants(of: member.value, depth: depth + 1).map(replaced)
        }
    }

    private func steps(of path: FieldPath) -> [String] {
        path.parts.compactMap { if case .name(let name) = $0 { String(decoding: name, as: UTF8.self) } else { nil } }
    }

    private func document(_ document: JSONValue, _ path: ArraySlice<String>, _ list: JSONValue) -> JSONValue {
        guard let name = path.first else { return list }
        return .object(
            (document.members ?? []).map { member in
                guard member.name == name else { return member }
                return JSONMember(name, self.document(member.value, path.dropFirst(), list))
            }
        )
    }

    private func sample(_ source: Source) throws -> (document: JSONValue, hits: [JSONValue]) {
        var upstream = SandboxUpstream { $0.quirks.totalsDrift = false }
        let account = upstream.account(source)
        let response = upstream.send(try source.request(for: pageRequest("고양이"), account: account))
        let document = try JSONDocument(source.response.isXML ? XMLReader.json(of: response.body) : response.body)
        let hits = try #require(source.response.elements(of: document))
        return (document.root.value, hits.map { document.cursor(at: $0).value })
    }

    private func page(_ source: Source, _ document: JSONValue) throws(SearchError) -> Page {
        guard let query = SearchQuery("고양이") else { throw SearchError(.internal, "no query") }
        let response = HTTPResponse(status: 200, body: source.response.isXML ? document.xmlBytes : document.bytes)
        return try source.page(from: response, for: PageRequest(query: query), account: AccountAccess())
    }

    @Test(arguments: names)
    func `a malformed hit does not affect other hits`(_ name: String) throws {
        let source = try source(name)
        let (document, hits) = try sample(source)
        let path = steps(of: source.response.hits[0])[...]
        let good = try #require(hits.first)
        let other = try #require(hits.dropFirst().first)
        let whole = try page(source, self.document(document, path, [good, other]))
        let bad = variants(of: good) + Self.values.compactMap(\.self)
        #expect(bad.count > 50)
        for start in stride(from: 0, to: bad.count, by: source.paging.size - 2) {
            let some = bad[start..<min(start + source.paging.size - 2, bad.count)]
            let page = try page(source, self.document(document, path, .array([good] + some + [other])))
            #expect(page.hits.first?.id == whole.hits.first?.id && page.hits.last?.id == whole.hits.last?.id)
            for hit in page.hits { check(hit) }
        }
    }

    @Test(arguments: names)
    func `unknown fields are ignored`(_ name: String) throws {
        let source = try source(name)
        let (document, hits) = try sample(source)
        let path = steps(of: source.response.hits[0])[...]
        let unknown = JSONMember("nobodyKnows", ["a": [1, nil, "고양이"]])
        let more = hits.map { hit in JSONValue.object([unknown] + (hit.members ?? []) + [unknown]) }
        let changed = self.document(document, path, .array(more))
        let strange = changed.members.map { .object($0 + [unknown]) } ?? changed
        #expect(try page(source, strange).hits.map(\.id) == page(source, document).hits.map(\.id))
        #expect(try page(source, strange).total == page(source, document).total)
    }

    @Test(arguments: names)
    func `a malformed response gives valid hits or an error`(_ name: String) throws {
        let source = try source(name)
        let (document, hits) = try sample(source)
        let small = self.document(document, steps(of: source.response.hits[0])[...], .array(Array(hits.prefix(2))))
        for strange in variants(of: small, depth: 1) {
            do throws(SearchError) {
                for hit in try page(source, strange).hits { check(hit) }
            } catch {
                #expect(error.source == source.name && error.hint?.isEmpty == false)
                #expect(error.message.utf8.count < 400)
            }
        }
    }

    private func check(_ hit: Hit) {
        #expect(!hit.title.isEmpty && hit.title.utf8.count <= TextLimits.titleBytesMax)
        #expect((hit.snippet?.utf8.count ?? 0) <= TextLimits.snippetBytesMax)
        for text in [hit.title, hit.snippet ?? "", hit.author ?? ""] {
            #expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        }
        for address in [hit.url, hit.thumbnail].compactMap(\.self) {
            #expect(address.lowercased().hasPrefix("http://") || address.lowercased().hasPrefix("https://"))
        }
        #expect(hit.id.hasPrefix("\(hit.source):") && hit.id.utf8.count < 300)
    }
}
