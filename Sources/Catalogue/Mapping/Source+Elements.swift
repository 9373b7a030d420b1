package import HTTP
import JSON
package import SearchModel

/// Shows the author of a source file how the file maps each element of a response.
extension Source {
    package struct Element: Sendable {
        package let raw: [UInt8]
        package let hit: Hit?
    }

    /// `missing` is set if a successful response has no list of hits.
    package func elements(of response: HTTPResponse, account: AccountAccess) -> (elements: [Element], missing: String?)
    {
        guard let document = try? read(response, account, query: nil, at: nil) else { return ([], nil) }
        guard let indices = self.response.elements(of: document), !self.response.lists(in: document.root).isEmpty else {
            return ([], missing(document.root))
        }
        var elements: [Element] = []
        forEachHit(hit, at: indices, of: document) { element, hit in
            elements.append(Element(raw: Array(document.text(at: element)), hit: hit))
        }
        return (elements, nil)
    }

    package func unfilledFields(of elements: [Element], in page: Page) -> [String] {
        let (rules, hits) = (hit, elements.compactMap(\.hit))
        let fields: [(name: String, rule: Rule?, isFilled: (Hit) -> Bool)] = [
            // In a hit without a title, the address is the title.
            ("title", rules.title, { $0.title != $0.url }), ("snippet", rules.snippet, { $0.snippet != nil }),
            ("url", rules.url, { $0.url != nil }), ("author", rules.author, { $0.author != nil }),
            ("published", rules.published, { $0.published != nil }),
            ("thumbnail", rules.thumbnail, { $0.thumbnail != nil }),
        ]
        var unfilled = fields.filter { $0.rule != nil && !hits.contains(where: $0.isFilled) }.map(\.name)
        let extraNames = Set(hits.flatMap { $0.extra.map(\.name) })
        unfilled += rules.extra.map(\.name).filter { !extraNames.contains($0) }.map { "extra.\($0)" }
        let hasKey = elements.contains { Self.key(rules, ofDocument: $0.raw) != nil }
        if rules.key != nil, !hasKey { unfilled.append("key") }
        return unfilled.map { "hit.\($0)" } + (response.total != nil && page.total == nil ? ["response.total"] : [])
    }
}
