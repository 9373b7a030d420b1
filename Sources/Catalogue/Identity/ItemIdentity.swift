import JSON
package import SearchModel

/// Detects duplicates: two hits are the same item if they share a mark.
///
/// A mark is the hash of an address, an ISBN, a DOI, an arXiv id or a repository name. Only hits of similar kinds can
/// share a mark.
package struct ItemIdentity: Hashable, Sendable {
    package struct Mark: Hashable, Sendable {
        package let high: UInt64
        package let low: UInt64

        package init(high: UInt64, low: UInt64) {
            self.high = high
            self.low = low
        }

        private static let keyOfHigh: (UInt64, UInt64) = (0x7365_6172_6368_6420, 0x7361_6D65_2069_7431)
        private static let keyOfLow: (UInt64, UInt64) = (0x7365_6172_6368_6420, 0x7361_6D65_2069_7432)

        init(_ text: Span<UInt8>) {
            high = SipHash.hash(text, key: Self.keyOfHigh)
            low = SipHash.hash(text, key: Self.keyOfLow)
        }
    }

    package private(set) var marks: [Mark] = []

    package init(marks: [Mark]) {
        self.marks = marks
    }

    package init(_ hit: borrowing Hit) {
        let kind = hit.kind.text
        guard kind != "place" else { return }
        let isPage = Self.pageKinds.contains(kind)
        let kindClass = isPage ? "page" : kind
        let hasNumber = kind == "image" || kind == "book" || kind == "paper"
        let extra = hasNumber ? (try? JSONDocument(hit.extraText))?.root : nil
        if kind == "book", let isbn = extra.flatMap(Self.bookNumber) { add("book isbn \(isbn)") }
        if kind == "paper" {
            if let id = extra?["arxiv"]?.string { add(PaperNumber.arxiv(id)) }
            if let doi = extra?["doi"]?.string { add(PaperNumber.doi(doi)) }
        }
        guard let shown = kind == "image" ? extra?["image"]?.string ?? hit.url : hit.url else { return }
        // The class has no space, so the first space ends the class.
        let classCount = kindClass.utf8.count + 1
        var text: [UInt8] = []
        text.reserveCapacity(classCount + shown.utf8.count)
        text.append(kindClass.utf8.span)
        text.append(UInt8(ascii: " "))
        CanonicalURL.append(shown.utf8.span, to: &text)
        guard text.count > classCount else { return }
        if isPage, let name = Self.name(of: text.span.extracting(classCount...)) { add(name) }
        marks.append(Mark(text.span))
    }

    private mutating func add(_ number: String) {
        let mark = Mark(number.utf8.span)
        if !marks.contains(mark) { marks.append(mark) }
    }

    private static let pageKinds: Set = [
        "answer", "blog", "cafe", "document", "encyclopedia", "issue", "news", "paper", "question", "repository",
        "story", "web",
    ]
    private static let (doiHosts, arxivPaths) = (["doi.org/", "dx.doi.org/"], ["arxiv.org/abs/", "arxiv.org/pdf/"])
    private static let repositoryHosts = ["github.com/", "gitlab.com/", "codeberg.org/"]

    private static func name(of address: Span<UInt8>) -> String? {
        func rest(after prefixes: [String]) -> String? {
            guard let prefix = prefixes.first(where: { address.begins(with: $0.utf8.span) }) else { return nil }
            return String(validated: address.extracting(prefix.utf8.count...))
        }
        if let doi = rest(after: doiHosts) { return PaperNumber.doi(doi) }
        if let id = rest(after: arxivPaths) { return PaperNumber.arxiv(id) }
        guard let path = rest(after: repositoryHosts), path.utf8.count(where: { $0 == UInt8(ascii: "/") }) == 1,
            !path.utf8.contains(UInt8(ascii: "?"))
        else { return nil }
        let name = String(validated: address).lowercased()
        return "repository \(name.hasSuffix(".git") ? String(name.dropLast(4)) : name)"
    }

    private static func bookNumber(inExtra extra: JSONCursor) -> String? {
        let texts = ["isbn13", "isbn", "isbn10"].compactMap { extra[$0]?.string }
        return texts.lazy.compactMap { ISBN.thirteen(in: $0.utf8.span) }.first
            ?? texts.lazy.compactMap { ISBN.thirteenOfTen(in: $0.utf8.span) }.first
    }
}

private enum PaperNumber {
    private static let arxivPrefix = "10.48550/arxiv."

    static func doi(_ written: String) -> String {
        let doi = written.lowercased()
        return doi.hasPrefix(arxivPrefix) ? arxiv(String(doi.dropFirst(arxivPrefix.utf8.count))) : "doi \(doi)"
    }

    static func arxiv(_ written: String) -> String {
        var id = written.lowercased()[...]
        if id.hasSuffix(".pdf") { id = id.dropLast(4) }
        let version = id.lastIndex(of: "v") ?? id.endIndex
        let digits = id[version...].dropFirst()
        return "arxiv \(!digits.isEmpty && digits.allSatisfy(\.isNumber) ? id[..<version] : id)"
    }
}
