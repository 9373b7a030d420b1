import JSON
package import SearchModel

extension ItemIdentity {
    private static let pageKinds: Set<String> = ["answer", "blog", "cafe", "encyclopedia", "news", "story", "web"]

    /// What a hit says of itself; unknown when it has neither an address nor a number.
    ///
    /// - Complexity: O(n) in its address and, for books and images, in its extra fields.
    package init(_ hit: Hit) {
        let kind = hit.kind.text
        guard kind != "place" else {
            self = .unknown
            return
        }
        let kindClass = Self.pageKinds.contains(kind) ? "page" : kind
        let shown = kind == "image" ? Self.image(of: hit) ?? hit.url : hit.url
        // No class holds a blank, so none and its text can pass for another.
        var text = Array(kindClass.utf8)
        text.append(UInt8(ascii: " "))
        let classCount = text.count
        if let shown { CanonicalURL.append(shown.utf8.span, to: &text) }
        address = text.count > classCount ? Mark(text.span) : nil
        if kind == "book", let isbn = BookNumber.thirteen(inExtra: hit.extraText.span) {
            number = Mark(Array("book isbn \(isbn)".utf8).span)
        } else {
            let canonical = text.span.extracting(classCount..<text.count)
            number = StoreNumber(canonical).map { found in
                let number = String(validated: canonical.extracting(found.place))
                return Mark(Array("\(kindClass) store \(found.store)\(number)".utf8).span)
            }
        }
    }

    private static func image(of hit: Hit) -> String? {
        var image: String?
        JSONText.forEachMember(of: hit.extraText.span) { name, value in
            guard JSONText.isString("image", at: name, of: hit.extraText.span) else { return true }
            image = JSONText.string(at: value, of: hit.extraText.span)
            return false
        }
        return image
    }
}
