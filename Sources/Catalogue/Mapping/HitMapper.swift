import JSON
import SearchModel

/// Maps one element of a source's answer to a hit.
///
/// Rules name members by path; the members of an element are walked once, and every path starts from what was found.
struct HitMapper: Sendable {
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
    private let extra: [(name: String, rule: CompiledRule)]

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
        extra = shape.extra.map { ($0.name, CompiledRule($0.rule, tree: &tree)) }
        self.tree = tree
    }

    /// The hit; nil when the element is no object, or has neither a title nor an address.
    func hit(_ element: JSONCursor, rank: Int, cleaner: inout TextCleaner) -> Hit? {
        guard element.kind == .object else { return nil }
        let found = Members(element, tree: tree)
        let title = self.title.text(found, &cleaner, bytesMax: TextLimits.titleBytesMax)
        let url = self.url.flatMap { $0.address(found, &cleaner) }
        guard let shown = title?.text ?? url, !shown.isEmpty else { return nil }
        var hit = Hit(id: "", source: source, kind: kind, title: shown, rank: rank)
        hit.titleMarks = title?.marks ?? []
        hit.url = url
        if let plain = snippet.flatMap({ $0.text(found, &cleaner, bytesMax: TextLimits.snippetBytesMax) }) {
            hit.snippet = plain.text
            hit.snippetMarks = plain.marks
        }
        hit.author = author.flatMap { $0.text(found, &cleaner, bytesMax: TextLimits.nameBytesMax)?.text }
        hit.published = published.flatMap { $0.date(found, &cleaner) }
        hit.thumbnail = thumbnail.flatMap { $0.address(found, &cleaner) }
        for (name, rule) in extra {
            if let json = rule.json(found, &cleaner) {
                hit.extra.append(JSONMember(name, json))
            }
        }
        hit.id = id(of: hit, key: key.flatMap { $0.value(found, &cleaner)?.text })
        return hit
    }

    /// The source's name and its own key, or a hash of what tells the hit from others.
    private func id(of hit: Hit, key: String?) -> String {
        if let key, HitKey.isPlain(key) { return idPrefix + key }
        return idPrefix + SipHash.text(of: CanonicalURL.bytes(of: key ?? hit.url ?? hit.title))
    }
}
