import JSON
import SearchModel

/// Where the fields of a hit come from.
struct HitShape: Sendable {
    let rules: Rules
    /// What makes up the id.
    let key: RuleTables.Rule?
    let title: RuleTables.Rule
    let snippet: RuleTables.Rule?
    let url: RuleTables.Rule?
    let author: RuleTables.Rule?
    let published: RuleTables.Rule?
    let thumbnail: RuleTables.Rule?
    /// In the order they are shown.
    let extra: [(name: String, rule: RuleTables.Rule)]
}

/// Maps one element of a source's answer to a hit.
///
/// Rules name members by path; the members of an element are walked once, and every path starts from what was found.
/// An object, so that a source passes it on by one reference.
final class HitMapper: Sendable {
    let source: SourceName
    let kind: Kind
    let shape: HitShape
    private let rules: Rules
    private let idPrefix: String
    /// The names of the extra fields, each quoted and with its colon.
    private let extraNames: [UInt8]
    /// The extra fields, each with the range of its name.
    private let extra: [(name: Range<Int>, rule: RuleTables.Rule)]

    init(source: SourceName, kind: Kind, shape: HitShape) {
        self.source = source
        self.kind = kind
        self.shape = shape
        rules = shape.rules
        idPrefix = source.text + ":"
        var names: [UInt8] = []
        extra = shape.extra.map { name, rule in
            let start = names.count
            names += JSONValue.string(name).bytes + ":".utf8
            return (start..<names.count, rule)
        }
        extraNames = names
    }

    /// What is needed to map the elements of a document, one after the other.
    func context(of document: JSONView) -> MappingContext {
        rules.context(of: document)
    }

    /// The hit; nil when the element at an index is no object, or has neither a title nor an address.
    func hit(at element: Int, rank: Int, raw: ArraySlice<UInt8> = [], _ context: inout MappingContext) -> Hit? {
        guard context.document.kind(at: element) == .object else { return nil }
        rules.move(to: element, &context)
        let title = rules.text(shape.title, &context, bytesMax: TextLimits.titleBytesMax)
        let url = shape.url.flatMap { rules.address($0, &context) }
        guard let shown = title?.text ?? url, !shown.isEmpty else { return nil }
        let snippet = shape.snippet.flatMap { rules.text($0, &context, bytesMax: TextLimits.snippetBytesMax) }
        // Made in one piece, where it is kept: a copy counts a dozen references.
        return Hit(
            id: id(&context, url: url, title: shown),
            source: source,
            kind: kind,
            title: shown,
            titleMarks: title?.marks ?? [],
            snippet: snippet?.text,
            snippetMarks: snippet?.marks ?? [],
            url: url,
            author: shape.author.flatMap { rules.text($0, &context, bytesMax: TextLimits.nameBytesMax)?.text },
            published: shape.published.flatMap { rules.date($0, &context) },
            thumbnail: shape.thumbnail.flatMap { rules.address($0, &context) },
            rank: rank,
            extraText: extraText(&context),
            raw: raw
        )
    }

    private func extraText(_ context: inout MappingContext) -> [UInt8] {
        guard !extra.isEmpty else { return [] }
        // The memory is the last hit's; a hit keeps a copy, which is no larger than it must be.
        var writer = JSONWriter()
        swap(&writer, &context.writer)
        defer { swap(&writer, &context.writer) }
        writer.removeAll()
        var isEmpty = true
        let names = extraNames
        writer.object { writer in
            for field in extra {
                let name = names.span.extracting(field.name)
                if rules.write(field.rule, &context, named: name, to: &writer) { isEmpty = false }
            }
        }
        var text: [UInt8] = []
        if !isEmpty { text.append(writer.bytes.span) }
        return text
    }

    /// The source's name and its own key, or a hash of the hit's address or title.
    private func id(_ context: inout MappingContext, url: String?, title: String) -> String {
        let own = shape.key.flatMap { rules.value($0, &context) }.flatMap { value in
            context.withText(of: value) { text, context in
                HitKey.isPlain(text) ? prefixed(text, &context) : hashed(text, &context)
            }
        }
        return own ?? hashed((url ?? title).utf8.span, &context)
    }

    /// The id of the hit with this key.
    func id(ofKey key: String) -> String {
        if HitKey.isPlain(key.utf8.span) { return idPrefix + key }
        var canonical: [UInt8] = []
        CanonicalURL.append(key.utf8.span, to: &canonical)
        return SipHash.text(of: canonical.span, after: idPrefix)
    }

    private func prefixed(_ key: Span<UInt8>, _ context: inout MappingContext) -> String {
        context.withRoom { room, _ in
            room.append(idPrefix.utf8.span)
            room.append(key)
            return String(validated: room.span)
        }
    }

    private func hashed(_ text: Span<UInt8>, _ context: inout MappingContext) -> String {
        context.withRoom { room, _ in
            CanonicalURL.append(text, to: &room)
            let end = room.count
            let hash = SipHash.hash(room.span)
            room.append(idPrefix.utf8.span)
            SipHash.append(hash, to: &room)
            return String(validated: room.span.extracting(end...))
        }
    }
}

/// The part of a hit's id after its source.
package enum HitKey {
    package static let bytesMax = 64

    /// Whether a source's own key can stand in an id as it is.
    package static func isPlain(_ key: Span<UInt8>) -> Bool {
        guard (1...bytesMax).contains(key.count) else { return false }
        for index in key.indices {
            let byte = key[index]
            guard byte.isLetter || byte.isDigit || "-_.".utf8.contains(byte) else {
                return false
            }
        }
        return true
    }
}
