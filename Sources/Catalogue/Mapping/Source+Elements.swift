package import HTTP
import JSON
package import SearchModel

/// What each element of an answer becomes, for the author of a source's file.
extension Source {
    /// One element of an answer's list of hits.
    package struct Element: Sendable {
        /// As the source sent it, without secrets.
        package let raw: [UInt8]
        /// Nil when it has neither a title nor an address.
        package let hit: Hit?
    }

    /// Every element of the list of hits, in the source's order; nil when the answer has no such list.
    ///
    /// For answers that are no errors: what `page` takes for the end may have elements here.
    package func elements(of response: HTTPResponse, account: AccountAccess) -> [Element]? {
        guard let document = try? JSONDocument(account.redactor.redacted(response.body, json: true)),
            let list = self.response.hits.first(from: document.root),
            list.kind == .array
        else { return nil }
        var elements: [Element] = []
        mapper.forEachHit(at: document.elements(at: list.index), of: document) { element, hit in
            elements.append(Element(raw: Array(document.text(at: element)), hit: hit))
        }
        return elements
    }

    /// The fields that the file declares and that none of these hits has, as `snippet` and `extra.price`.
    package func unfilledFields(of hits: [Hit]) -> [String] {
        let hit = mapper.shape
        var declared: [(name: String, isFilled: (Hit) -> Bool)] = [("title", { !$0.title.isEmpty })]
        if hit.snippet != nil { declared.append(("snippet", { $0.snippet != nil })) }
        if hit.url != nil { declared.append(("url", { $0.url != nil })) }
        if hit.author != nil { declared.append(("author", { $0.author != nil })) }
        if hit.published != nil { declared.append(("published", { $0.published != nil })) }
        if hit.thumbnail != nil { declared.append(("thumbnail", { $0.thumbnail != nil })) }
        for name in hit.extra.map(\.name) {
            declared.append(("extra.\(name)", { hit in hit.extra.contains { $0.name == name } }))
        }
        return declared.filter { field in !hits.contains(where: field.isFilled) }.map(\.name)
    }
}
