package import HTTP
import JSON
package import SearchModel

/// Maps each element of a response, to show the author of a source file how it works.
extension Source {
    /// One element in a response's list of hits.
    package struct Element: Sendable {
        /// The original JSON, without secrets.
        package let raw: [UInt8]
        /// The hit, or nil if the element has no title and no address.
        package let hit: Hit?
    }

    /// Returns every element in the list of hits, in the source's order; nil if the response has no such list.
    ///
    /// Use it for successful responses only. It may return elements where `page` sees the end of the result.
    package func elements(of response: HTTPResponse, account: AccountAccess) -> [Element]? {
        let body = redacted(response.body, account)
        guard let json = self.response.isXML ? try? XMLReader.json(of: body) : body,
            let document = try? JSONDocument(json),
            let list = self.response.list(in: document.root),
            list.kind == .array
        else { return nil }
        var elements: [Element] = []
        mapper.forEachHit(at: document.elements(at: list.index), of: document) { element, hit in
            elements.append(Element(raw: Array(document.text(at: element)), hit: hit))
        }
        return elements
    }

    /// The fields that the file declares but none of these hits has, such as `snippet` and `extra.price`.
    package func unfilledFields(of hits: [Hit]) -> [String] {
        let hit = mapper.shape
        let fields: [(name: String, rule: Rule?, isFilled: (Hit) -> Bool)] = [
            ("title", hit.title, { !$0.title.isEmpty }), ("snippet", hit.snippet, { $0.snippet != nil }),
            ("url", hit.url, { $0.url != nil }), ("author", hit.author, { $0.author != nil }),
            ("published", hit.published, { $0.published != nil }),
            ("thumbnail", hit.thumbnail, { $0.thumbnail != nil }),
        ]
        var declared = fields.filter { $0.rule != nil }.map { ($0.name, $0.isFilled) }
        for name in hit.extra.map(\.name) {
            declared.append(("extra.\(name)", { (hit: Hit) in hit.extra.contains { $0.name == name } }))
        }
        return declared.filter { field in !hits.contains(where: field.1) }.map(\.0)
    }
}
