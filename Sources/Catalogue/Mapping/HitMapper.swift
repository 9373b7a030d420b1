import JSON
import SearchModel

/// Maps one element of a source's answer to a hit.
///
/// Rules name members by path; the members of an element are walked once, and every path starts from what was found.
struct HitMapper: Sendable {
    /// What a hit's extra fields may take without a second allocation.
    private static let extraBytes = 1024

    private final class ExtraField: Sendable {
        /// Quoted, with its colon.
        let name: [UInt8]
        let rule: CompiledRule

        init(_ name: String, _ rule: CompiledRule) {
            self.name = JSONValue.string(name).bytes + ":".utf8
            self.rule = rule
        }

        /// Writes the field as a member; false, and nothing is written, when there is none.
        func write(_ found: borrowing Members, _ cleaner: inout TextCleaner, to writer: inout JSONWriter) -> Bool {
            let start = writer.mark
            writer.rawName(name)
            if rule.write(found, &cleaner, to: &writer) { return true }
            writer.takeBack(to: start)
            return false
        }
    }

    let source: SourceName
    let kind: Kind
    private let idPrefix: String
    private let tree: MemberTree
    private let key: CompiledRule?
    private let title: CompiledRule
    private let snippet: CompiledRule?
    private let url: CompiledRule?
    private let author: CompiledRule?
    private let published: CompiledRule?
    private let thumbnail: CompiledRule?
    private let extra: [ExtraField]

    init(source: SourceName, kind: Kind, shape: HitShape) {
        self.source = source
        self.kind = kind
        idPrefix = source.text + ":"
        var tree = MemberTree()
        key = shape.key.map { CompiledRule($0, tree: &tree) }
        title = CompiledRule(shape.title, tree: &tree)
        snippet = shape.snippet.map { CompiledRule($0, tree: &tree) }
        url = shape.url.map { CompiledRule($0, tree: &tree) }
        author = shape.author.map { CompiledRule($0, tree: &tree) }
        published = shape.published.map { CompiledRule($0, tree: &tree) }
        thumbnail = shape.thumbnail.map { CompiledRule($0, tree: &tree) }
        extra = shape.extra.map { ExtraField($0.name, CompiledRule($0.rule, tree: &tree)) }
        self.tree = tree
    }

    /// What is needed to map the elements of a document, one after the other.
    func members(of document: JSONView) -> Members {
        Members(of: document, tree: tree)
    }

    /// The hit; nil when the element at a place is no object, or has neither a title nor an address.
    func hit(
        _ found: inout Members,
        at element: Int,
        rank: Int,
        raw: ArraySlice<UInt8> = [],
        cleaner: inout TextCleaner
    ) -> Hit? {
        guard found.document.kind(at: element) == .object else { return nil }
        found.move(to: element)
        let title = self.title.text(found, &cleaner, bytesMax: TextLimits.titleBytesMax)
        let url = self.url.flatMap { $0.address(found, &cleaner) }
        guard let shown = title?.text ?? url, !shown.isEmpty else { return nil }
        let snippet = snippet.flatMap { $0.text(found, &cleaner, bytesMax: TextLimits.snippetBytesMax) }
        let key = key.flatMap { $0.value(found, &cleaner)?.text(in: found.document) }
        // Made in one piece, where it is kept: a copy counts a dozen references.
        return Hit(
            id: id(key: key, url: url, title: shown),
            source: source,
            kind: kind,
            title: shown,
            titleMarks: title?.marks ?? [],
            snippet: snippet?.text,
            snippetMarks: snippet?.marks ?? [],
            url: url,
            author: author.flatMap { $0.text(found, &cleaner, bytesMax: TextLimits.nameBytesMax)?.text },
            published: published.flatMap { $0.date(found, &cleaner) },
            thumbnail: thumbnail.flatMap { $0.address(found, &cleaner) },
            rank: rank,
            extraText: extraText(found, &cleaner),
            raw: raw
        )
    }

    private func extraText(_ found: borrowing Members, _ cleaner: inout TextCleaner) -> [UInt8] {
        guard !extra.isEmpty else { return [] }
        var writer = JSONWriter()
        writer.bytes.reserveCapacity(Self.extraBytes)
        var isEmpty = true
        writer.object { writer in
            for field in extra where field.write(found, &cleaner, to: &writer) { isEmpty = false }
        }
        return isEmpty ? [] : writer.bytes
    }

    /// The source's name and its own key, or a hash of what tells the hit from others.
    private func id(key: String?, url: String?, title: String) -> String {
        if let key, HitKey.isPlain(key) { return idPrefix + key }
        var canonical: [UInt8] = []
        CanonicalURL.append((key ?? url ?? title).utf8.span, to: &canonical)
        return SipHash.text(of: canonical.span, after: idPrefix)
    }
}
