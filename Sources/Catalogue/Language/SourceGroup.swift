import JSON
package import SearchModel

/// Splits a file with several sources into one file for each source.
enum SourceGroup {
    static let sourcesMax = 64

    static func all(in file: Declared) throws(CatalogueError) -> [(file: Declared, family: FamilyMember?)] {
        if let family = file.member("family") {
            return try FamilyMember.all(family).map { (Declared($0.applied(to: file.node), file.mistakes), $0) }
        }
        guard let sources = file.member("sources") else { return [(file, nil)] }
        let own = try sources.members()
        guard own.count <= sourcesMax else { throw sources.error("has over \(sourcesMax) sources") }
        guard file.node["source"] == nil else {
            let hint = "Write all names in “sources”, or use one file for each source."
            throw sources.error("conflicts with “source”", hint: hint)
        }
        let shared = (file.node.members ?? []).filter { $0.name != "sources" }
        return try own.map { name, source throws(CatalogueError) in
            _ = try source.members()
            let node = source.node
            let named = node.with(.string(name))
            let first = JSON5Member(name: "source", line: node.line, column: node.column, node: named)
            let whole = node.with(.object(joined([first] + (node.members ?? []), shared)))
            return (Declared(whole, file.mistakes), nil)
        }
    }

    /// Merges objects recursively; members in `own` replace those in `shared`.
    static func joined(_ own: [JSON5Member], _ shared: [JSON5Member]) -> [JSON5Member] {
        let replaced = shared.map { member in
            guard let mine = own.first(where: { $0.name == member.name }) else { return member }
            guard let members = mine.node.members, let others = member.node.members else { return mine }
            return mine.with(mine.node.with(.object(joined(members, others))))
        }
        return replaced + own.filter { mine in !shared.contains { $0.name == mine.name } }
    }
}

/// One source of a family, such as a language of Wikipedia; `value` replaces `placeholder` in the file.
struct FamilyMember: Equatable, Sendable {
    static let membersMax = 64

    let name: String
    let value: String

    var placeholder: String { "{\(name)}" }

    static func all(_ declared: Declared) throws(CatalogueError) -> [FamilyMember] {
        let object = try declared.object(["name", "values"])
        let named = try object.required("name")
        let name = try named.string("a name such as lang")
        guard name.utf8.allSatisfy(\.isSmallLetter), Template.variable(name) == nil else {
            let hint = "Use a–z, but not the name of a placeholder, such as “query”."
            throw named.error("\u{201C}\(name)\u{201D} can't be used here", hint: hint)
        }
        let values = try object.required("values").oneOrMore()
        guard values.count <= membersMax else { throw declared.error("has over \(membersMax) values") }
        return try values.map { value throws(CatalogueError) in
            let text = try value.string()
            guard text.utf8.allSatisfy({ $0.isSmallLetter || $0.isDigit || $0 == UInt8(ascii: "-") }) else {
                throw value.error("\u{201C}\(text)\u{201D} can't be part of a name", hint: "Use a–z, 0–9 and -.")
            }
            return FamilyMember(name: name, value: text)
        }
    }

    func applied(to node: JSON5Node) -> JSON5Node {
        switch node.value {
        case .string(let text) where text.utf8.contains(UInt8(ascii: "{")):
            node.with(.string(text.utf8.span.replacing(placeholder.utf8.span, with: value.utf8.span)))
        case .array(let elements): node.with(.array(elements.map(applied)))
        case .object(let members): node.with(.object(members.map { $0.with(applied(to: $0.node)) }))
        case .null, .bool, .number, .string: node
        }
    }
}

extension JSON5Node {
    func with(_ value: Value) -> JSON5Node { JSON5Node(value, line: line, column: column) }
}

extension JSON5Member {
    fileprivate func with(_ node: JSON5Node) -> JSON5Member {
        JSON5Member(name: name, line: line, column: column, node: node)
    }
}

/// The name, kind and title in a source file, readable even if other parts have mistakes.
package struct SourceHeader: Equatable, Sendable {
    package let name: SourceName
    package let kind: Kind?
    package let title: String?

    package static func all(in bytes: [UInt8]) -> [SourceHeader] {
        guard let file = try? Catalogue.read(bytes, Mistakes(in: "")) else { return [] }
        return ((try? SourceGroup.all(in: file)) ?? []).compactMap { SourceHeader($0.file.node) }
    }

    private init?(_ node: JSON5Node) {
        guard node["gone"] == nil, let name = node["source"]?.string.flatMap({ SourceName($0) }) else { return nil }
        self.name = name
        kind = node["kind"]?.string.flatMap { Kind($0) }
        title = node["title"]?.string
    }
}

extension Catalogue {
    /// Returns 0, 1 or 2; files with a lower number are loaded first, because accounts must be declared before use.
    package static func turn(ofFile bytes: [UInt8]) -> Int {
        guard let node = try? read(bytes, Mistakes(in: "")).node, node["source"] != nil || node["sources"] != nil else {
            return 0
        }
        return node["account"] == nil ? 2 : 1
    }
}
