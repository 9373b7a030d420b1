import JSON
import SearchModel

/// Maps the elements of a response to hits.
extension Source {
    /// Calls `body` with nil if an element is not an object, or has neither a title nor an address.
    func forEachHit(
        _ shape: HitShape,
        at elements: some Sequence<Int>,
        of document: JSONDocument,
        keepRaw: Bool = false,
        firstRank: Int = 1,
        _ body: (Int, Hit?) -> Void
    ) {
        document.withView { view in
            var reader = FieldReader(document: view, names: shape.names)
            var writer = JSONWriter()
            var rank = firstRank
            for element in elements {
                reader.read(element)
                let raw = keepRaw ? document.text(at: element) : []
                let isObject = view.kind(at: element) == .object
                body(element, isObject ? hit(shape, rank: rank, raw: raw, reader, &writer) : nil)
                rank += 1
            }
        }
    }

    private func hit(
        _ shape: HitShape,
        rank: Int,
        raw: ArraySlice<UInt8>,
        _ reader: FieldReader,
        _ writer: inout JSONWriter
    ) -> Hit? {
        let title = reader.text(shape.title, bytesMax: TextLimits.titleBytesMax)
        let url = reader.address(shape.url)
        guard let shown = title?.text ?? url, !shown.isEmpty else { return nil }
        let snippet = reader.text(shape.snippet, bytesMax: TextLimits.snippetBytesMax)
        return Hit(
            id: Self.key(shape, reader).map { id(ofKey: $0) } ?? hashedID(url ?? shown),
            source: name,
            kind: kind,
            title: shown,
            titleMarks: title?.marks ?? [],
            snippet: snippet?.text,
            snippetMarks: snippet?.marks ?? [],
            url: url,
            author: reader.text(shape.author, bytesMax: TextLimits.nameBytesMax)?.text,
            published: reader.date(shape.published),
            thumbnail: reader.address(shape.thumbnail),
            rank: rank,
            extraText: reader.extraText(shape.extra, &writer),
            raw: raw
        )
    }

    private static func key(_ shape: HitShape, _ reader: FieldReader) -> String? {
        shape.key.flatMap { reader.value($0) }.flatMap { reader.string(of: $0) }
    }

    static func key(_ shape: HitShape, ofDocument bytes: [UInt8]) -> String? {
        guard let document = try? JSONDocument(bytes) else { return nil }
        return document.withView { view in
            var reader = FieldReader(document: view, names: shape.names)
            reader.read(0)
            return key(shape, reader)
        }
    }

    func id(ofKey key: String) -> String { HitKey.isPlain(key) ? idPrefix + key : hashedID(key) }

    /// Returns an id made from a hash of `text`: the key if it is not a valid id; without a key, the address or the title.
    private func hashedID(_ text: String) -> String {
        var canonical: [UInt8] = []
        CanonicalURL.append(text.utf8.span, to: &canonical)
        return idPrefix + StableHash.digits(of: SipHash.hash(canonical.span))
    }
}

package enum HitKey {
    package static let bytesMax = 64
    private static let hashBytes = 16

    package static func mayBeHash(_ text: String) -> Bool {
        text.utf8.count == hashBytes
            && text.utf8.allSatisfy { $0.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) }
    }

    package static func isPlain(_ key: String) -> Bool {
        (1...bytesMax).contains(key.utf8.count)
            && key.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_.".utf8.contains($0) }
    }
}
