import JSON
package import SearchModel

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
    /// Files that declare accounts must be loaded before files that use them.
    package static func turn(ofFile bytes: [UInt8]) -> Int {
        guard let node = try? read(bytes, Mistakes(in: "")).node, node["source"] != nil || node["sources"] != nil else {
            return 0
        }
        return node["account"] == nil ? 2 : 1
    }
}
