import JSON

/// The sources of one file, each as if it were the only one in the file.
///
/// A file has one source, or one for each member of its `family`, or one for each name in its `sources`. Members under
/// a name in `sources` belong to that source; the rest of the file is shared by all.
enum SourceGroup {
    static let sourcesMax = 64

    static func all(in file: Declared) throws(CatalogueError) -> [(file: Declared, family: FamilyMember?)] {
        let members = try file.members()
        if let family = members.first(where: { $0.name == "family" })?.value {
            return try FamilyMember.all(family).map { ($0.applied(to: file), $0) }
        }
        guard let sources = members.first(where: { $0.name == "sources" })?.value else { return [(file, nil)] }
        let own = try sources.members()
        guard own.count <= sourcesMax else { throw sources.error("has over \(sourcesMax) sources") }
        guard file.node["source"] == nil else {
            throw sources.error("conflicts with source", hint: "Name every source here, or use one file for each.")
        }
        let shared = (file.node.members ?? []).filter { $0.name != "sources" }
        // Read the account only once for all of its sources.
        let sharedWithoutAccount = shared.filter { $0.name != "account" }
        var accounts: Set<String> = []
        var files: [(file: Declared, family: FamilyMember?)] = []
        for (name, source) in own {
            _ = try source.members()
            let node = source.node
            let account = String(name.utf8.prefix { $0 != UInt8(ascii: ".") }) ?? name
            let hasOwnAccount = node["account"] != nil
            let isAccountRead = !hasOwnAccount && accounts.contains(account)
            if hasOwnAccount { accounts.remove(account) } else { accounts.insert(account) }
            let named = JSON5Node(.string(name), line: node.line, column: node.column)
            let first = JSON5Member(name: "source", line: node.line, column: node.column, node: named)
            let whole = JSON5Node(
                .object(joined([first] + (node.members ?? []), isAccountRead ? sharedWithoutAccount : shared)),
                line: node.line,
                column: node.column
            )
            files.append((Declared(node: whole, file: file.file, key: file.key, mistakes: file.mistakes), nil))
        }
        return files
    }

    /// Merges shared members with a source's own, which replace shared ones with the same name.
    ///
    /// Shared members come first. Objects present in both are merged recursively.
    static func joined(_ own: [JSON5Member], _ shared: [JSON5Member]) -> [JSON5Member] {
        let replaced = shared.map { member in
            guard let mine = own.first(where: { $0.name == member.name }) else { return member }
            guard let members = mine.node.members, let others = member.node.members else { return mine }
            let node = JSON5Node(.object(joined(members, others)), line: mine.node.line, column: mine.node.column)
            return JSON5Member(name: mine.name, line: mine.line, column: mine.column, node: node)
        }
        return replaced + own.filter { mine in !shared.contains { $0.name == mine.name } }
    }
}
