import JSON
import SearchModel

/// Maps one element of a source's answer to a hit.
///
/// Rules name members by path; the members of an element are walked once, and every path starts from what was found.
/// An object, so that a source passes it on by one reference.
final class HitMapper: Sendable {
    private struct ExtraField: Sendable {
        /// Where the name stands among all of them.
        let name: Range<Int>
        let rule: RuleTables.Rule
    }

    let source: SourceName
    let kind: Kind
    private let idPrefix: String
    private let rules: Rules
    private let key: RuleTables.Rule?
    private let title: RuleTables.Rule
    private let snippet: RuleTables.Rule?
    private let url: RuleTables.Rule?
    private let author: RuleTables.Rule?
    private let published: RuleTables.Rule?
    private let thumbnail: RuleTables.Rule?
    private let extra: [ExtraField]
    /// The names of the extra fields, each quoted and with its colon.
    private let extraNames: [UInt8]

    init(source: SourceName, kind: Kind, shape: HitShape) {
        self.source = source
        self.kind = kind
        idPrefix = source.text + ":"
        var tables = RuleTables()
        key = shape.key.map { tables.add($0) }
        title = tables.add(shape.title)
        snippet = shape.snippet.map { tables.add($0) }
        url = shape.url.map { tables.add($0) }
        author = shape.author.map { tables.add($0) }
        published = shape.published.map { tables.add($0) }
        thumbnail = shape.thumbnail.map { tables.add($0) }
        var names: [UInt8] = []
        extra = shape.extra.map { name, rule in
            let start = names.count
            names += JSONValue.string(name).bytes + ":".utf8
            return ExtraField(name: start..<names.count, rule: tables.add(rule))
        }
        extraNames = names
        tables.seal()
        rules = Rules(tables)
    }

    /// What is needed to map the elements of a document, one after the other.
    func workspace(of document: JSONView) -> MappingContext {
        rules.workspace(of: document)
    }

    /// The hit; nil when the element at a place is no object, or has neither a title nor an address.
    func hit(at element: Int, rank: Int, raw: ArraySlice<UInt8> = [], _ space: inout MappingContext) -> Hit? {
        guard space.document.kind(at: element) == .object else { return nil }
        rules.move(to: element, &space)
        let title = rules.text(title, &space, bytesMax: TextLimits.titleBytesMax)
        let url = url.flatMap { rules.address($0, &space) }
        guard let shown = title?.text ?? url, !shown.isEmpty else { return nil }
        let snippet = snippet.flatMap { rules.text($0, &space, bytesMax: TextLimits.snippetBytesMax) }
        // Made in one piece, where it is kept: a copy counts a dozen references.
        return Hit(
            id: id(&space, url: url, title: shown),
            source: source,
            kind: kind,
            title: shown,
            titleMarks: title?.marks ?? [],
            snippet: snippet?.text,
            snippetMarks: snippet?.marks ?? [],
            url: url,
            author: author.flatMap { rules.text($0, &space, bytesMax: TextLimits.nameBytesMax)?.text },
            published: published.flatMap { rules.date($0, &space) },
            thumbnail: thumbnail.flatMap { rules.address($0, &space) },
            rank: rank,
            extraText: extraText(&space),
            raw: raw
        )
    }

    private func extraText(_ space: inout MappingContext) -> [UInt8] {
        guard !extra.isEmpty else { return [] }
        // The memory is the last hit's; a hit keeps a copy, which is no larger than it must be.
        var writer = JSONWriter()
        swap(&writer, &space.writer)
        defer { swap(&writer, &space.writer) }
        writer.removeAll()
        var isEmpty = true
        let names = extraNames
        writer.object { writer in
            for field in extra {
                let name = names.span.extracting(field.name)
                if rules.write(field.rule, &space, named: name, to: &writer) { isEmpty = false }
            }
        }
        var text: [UInt8] = []
        if !isEmpty { text.append(writer.bytes.span) }
        return text
    }

    /// The source's name and its own key, or a hash of what tells the hit from others.
    private func id(_ space: inout MappingContext, url: String?, title: String) -> String {
        let own = key.flatMap { rules.value($0, &space) }.flatMap { value in
            space.withText(of: value) { text, space in
                HitKey.isPlain(text) ? prefixed(text, &space) : hashed(text, &space)
            }
        }
        return own ?? hashed((url ?? title).utf8.span, &space)
    }

    private func prefixed(_ key: Span<UInt8>, _ space: inout MappingContext) -> String {
        space.withRoom { room, _ in
            room.append(idPrefix.utf8.span)
            room.append(key)
            return String(validated: room.span)
        }
    }

    private func hashed(_ text: Span<UInt8>, _ space: inout MappingContext) -> String {
        space.withRoom { room, _ in
            CanonicalURL.append(text, to: &room)
            let end = room.count
            let hash = SipHash.hash(room.span)
            room.append(idPrefix.utf8.span)
            SipHash.append(hash, to: &room)
            return String(validated: room.span.extracting(end...))
        }
    }
}
