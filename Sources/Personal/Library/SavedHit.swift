package import JSON
package import SearchModel

/// A valid stored hit, with the members of HIT in the protocol.
package struct SavedHit: Sendable {
    package static let bytesMax = 64 << 10
    private static let idBytesMax = 512
    private static let textBytesMax = 16 << 10
    private static let urlBytesMax = 8 << 10

    package let members: [JSONMember]
    package let id: String
    package let source: SourceName
    package let kind: Kind
    package let bytes: [UInt8]

    package var title: String { self[.title]?.string ?? "" }
    package var snippet: String? { self[.snippet]?.string }
    package var author: String? { self[.author]?.string }
    package var url: String? { self[.url]?.string }
    /// In seconds since 1970.
    package var published: Int64? { self[.published]?.string.flatMap { RFC3339.epochSeconds($0) } }

    package var publishedDate: PublishedDate? {
        let precision = self[.publishedPrecision]?.string.flatMap { PublishedDate.Precision(rawValue: $0) }
        return self[.published]?.string.flatMap { PublishedDate($0, precision: precision ?? .second) }
    }

    package subscript(_ member: Member) -> JSONValue? {
        members.last { $0.name.hasSameBytes(as: member.description) }?.value
    }

    package var genre: String {
        let values = ["genre", "category", "genres", "categories"].lazy.compactMap(extra)
        return values.compactMap { $0.string ?? $0.array?.first?.string }.first ?? ""
    }

    package func extra(_ name: String) -> JSONValue? { self[.extra]?[name] }

    /// Ignores members that only a saved item has, such as its tags; throws `invalidParams` for other unknown members.
    package init(_ value: JSONValue, path: String) throws(SearchError) {
        guard let all = value.members else { throw Self.invalid("It must be an object.", path) }
        var values = [JSONValue?](repeating: nil, count: Self.known.count)
        for member in all {
            let name = ExactText(member.name)
            if let index = Self.indices[name] {
                values[index] = member.value
            } else if !Self.itemNames.contains(name) {
                throw Self.invalid("This is not a member of a hit.", "\(path).\(member.name)")
            }
        }
        func found(_ member: Member) -> JSONValue? { Self.known.firstIndex(of: member).flatMap { values[$0] } }
        func text(_ member: Member, _ bytesMax: Int) throws(SearchError) -> String? {
            guard let value = found(member) else { return nil }
            guard let text = value.string, text.utf8.count <= bytesMax, !Self.hasControlCode(text.utf8.span) else {
                throw Self.invalid("It must be text: at most \(bytesMax) bytes, no control codes.", "\(path).\(member)")
            }
            return text
        }
        guard let id = try text(.id, Self.idBytesMax), !id.isEmpty else {
            throw Self.invalid("A hit must have an id.", "\(path).id")
        }
        guard let source = try text(.source, SourceName.bytesMax).flatMap(SourceName.init),
            id.utf8.starts(with: "\(source.text):".utf8)
        else { throw Self.invalid("It must be the source with which the id begins.", "\(path).source") }
        guard let kind = try text(.kind, Kind.bytesMax).flatMap({ Kind($0) }) else {
            throw Self.invalid("It must be a kind, such as blog.", "\(path).kind")
        }
        guard try text(.title, Self.textBytesMax) != nil else {
            throw Self.invalid("A hit must have a title.", "\(path).title")
        }
        _ = try text(.snippet, Self.textBytesMax)
        _ = try text(.author, Self.textBytesMax)
        for member in [Member.url, .thumbnail] {
            if let url = try text(member, Self.urlBytesMax), !Self.isWebAddress(url) {
                throw Self.invalid("It must begin with http:// or https://.", "\(path).\(member)")
            }
        }
        if let date = try text(.published, 40), RFC3339.epochSeconds(date) == nil {
            throw Self.invalid("It must be a time in the format of RFC 3339.", "\(path).published")
        }
        guard found(.extra)?.members != nil || found(.extra) == nil else {
            throw Self.invalid("It must be an object.", "\(path).extra")
        }
        self.id = id
        self.source = source
        self.kind = kind
        members = zip(Self.known, values.prefix(Self.storedCount)).compactMap { member, value in
            value.map { JSONMember(member, Self.kept($0)) }
        }
        bytes = JSONValue.object(members).bytes
        guard bytes.count <= Self.bytesMax else {
            throw Self.invalid("A hit must not be larger than \(Self.bytesMax) bytes.", path)
        }
    }

    func updated(by other: SavedHit) throws(SearchError) -> SavedHit {
        let extra = (self[.extra]?.members ?? []).replaced(by: other[.extra]?.members ?? [])
        var joined = members.replaced(by: other.members)
        if !extra.isEmpty { joined = joined.replaced(by: [JSONMember(.extra, .object(extra))]) }
        return try SavedHit(.object(joined), path: "hit")
    }

    /// Removes `fetchedAt`, which describes one search and not the item.
    private static func kept(_ value: JSONValue) -> JSONValue {
        guard value[.fetchedAt] != nil, let members = value.members else { return value }
        return .object(members.filter { !$0.name.hasSameBytes(as: Member.fetchedAt.description) })
    }

    private static func hasControlCode(_ text: Span<UInt8>) -> Bool {
        text.indices.contains { text[$0] < 0x20 && text[$0] != 0x0A }
    }

    private static func isWebAddress(_ url: String) -> Bool {
        let start = url.utf8.prefix(8).map { $0 | 0x20 }
        return start.starts(with: "http://".utf8) || start.starts(with: "https://".utf8)
    }

    /// The last three members belong to one search, and are not stored.
    private static let known: [Member] = [
        .id, .source, .kind, .title, .snippet, .url, .author, .published, .publishedPrecision, .thumbnail, .extra,
        .alsoFrom, .rank, .raw, .marks,
    ]
    private static let storedCount = known.count - 3
    private static let indices = Dictionary(
        uniqueKeysWithValues: zip(known.map { ExactText($0.description) }, known.indices)
    )
    private static let itemNames: Set<ExactText> = ["savedAt", "updatedAt", "tags", "notes", "changes"]

    private static func invalid(_ message: String, _ path: String) -> SearchError {
        .invalid(message, path, hint: "Send each hit unchanged, as search returned it.")
    }
}

extension [JSONMember] {
    fileprivate func replaced(by others: [JSONMember]) -> [JSONMember] {
        let names = Set(map { ExactText($0.name) })
        let values = Dictionary(others.map { (ExactText($0.name), $0) }, uniquingKeysWith: { $1 })
        return map { values[ExactText($0.name)] ?? $0 } + others.filter { !names.contains(ExactText($0.name)) }
    }
}
