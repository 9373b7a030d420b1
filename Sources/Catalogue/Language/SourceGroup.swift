import JSON

/// The sources of one file, each as if it were alone in it.
///
/// There is one, or one for every member of its `family`, or one for every name in its `sources`: what stands there is
/// the source's own, and everything else in the file is shared by all.
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
            throw sources.error("stands beside source", hint: "Name every source here, or use one file for each.")
        }
        let shared = (file.node.members ?? []).filter { $0.name != "sources" }
        // Read once for all sources of the account.
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

    /// The shared members in their order, replaced by a source's own of the same name, and then its others; objects
    /// that both have are joined likewise.
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
