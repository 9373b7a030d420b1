import JSON
package import SearchModel

/// The sources that were read from source files.
package struct Catalogue: Sendable {
    package static let fileBytesMax = 256 * 1024
    package static let sourcesMax = 1000

    package private(set) var sources: [SourceName: Source] = [:]
    /// The errors for searches of sources that have ended.
    package private(set) var retired: [SourceName: SearchError] = [:]
    private var accounts: [String: AccountDeclaration] = [:]

    package init() {}

    /// Adds all sources of a file; if the file has mistakes, throws all mistakes and adds nothing.
    package mutating func add(file name: String, bytes: [UInt8], trust: Trust) throws(CatalogueMistakes) {
        let mistakes = Mistakes(in: name, trust: trust)
        var changed = self
        do throws(CatalogueError) {
            try changed.add(Self.read(bytes, mistakes))
        } catch {
            mistakes.note(error)
        }
        guard mistakes.all.isEmpty else { throw CatalogueMistakes(all: mistakes.sorted) }
        self = changed
    }

    private mutating func add(_ file: Declared) throws(CatalogueError) {
        if file.node["gone"] != nil {
            try addGone(file)
        } else if ["source", "sources", "family"].contains(where: { file.node[$0] != nil }) {
            try addAll(file)
        } else {
            try addAccount(file)
        }
    }

    package subscript(name: SourceName) -> Source? { sources[name] }

    package func source(named name: SourceName) throws(SearchError) -> Source {
        if let source = sources[name] { return source }
        if let retired = retired[name] { throw retired }
        let nearest = NearestName.of(name.text, among: sources.keys.map(\.text).sorted())
        let hint = nearest.map(NearestName.question) ?? "“searchctl sources” lists all names."
        throw SearchError(.unknownSource, "no source is called “\(name)”", of: name, hint: hint)
    }

    private mutating func addAll(_ file: Declared) throws(CatalogueError) {
        let group = try SourceGroup.all(in: file)
        for (file, family) in group {
            guard sources.count < Self.sourcesMax else {
                throw file.error("cannot be added", hint: "At most \(Self.sourcesMax) sources are allowed.")
            }
            let source = try Source(file, family: family, accounts: &accounts)
            guard file.mistakes.all.isEmpty else { return }
            sources[source.name] = source
            retired[source.name] = nil
        }
        let secrets = try group.first?.file.member("account")?.member("secrets")?.members() ?? []
        for (name, value) in secrets where !file.mistakes.placeholders.contains(where: { $0.variable == .secret(name) })
        {
            value.note("is not used", hint: "Send it, as in headers: { Authorization: \"Bearer {secret.\(name)}\" }.")
        }
    }

    private mutating func addAccount(_ file: Declared) throws(CatalogueError) {
        let object = try file.fields(["account"] + AccountDeclaration.keys)
        guard let declared = object["account"] else {
            throw file.error("does not declare a source or an account", hint: "Begin with source: \"account.part\".")
        }
        let name = try declared.parsed("a name such as kakao", as: "account name", hint: "Use a–z, 0–9, - and _.") {
            SourceName("\($0).x") != nil && !$0.contains(".") ? $0 : nil
        }
        // A second declaration could send the account's secrets to any host.
        guard accounts[name] == nil else {
            throw declared.error("\(name) is already declared", hint: "Give the account another name.")
        }
        let account = try AccountDeclaration(object)
        file.checkTemplates(of: account, options: nil)
        accounts[name] = account
    }

    private mutating func addGone(_ file: Declared) throws(CatalogueError) {
        let object = try file.fields(["source", "gone", "instead"])
        let name = file.part(try Source.sourceName(object.required("source")))
        let message = file.part(try object.required("gone").string())
        let instead = object["instead"]?.oneOrMore(Source.sourceName) ?? []
        guard let name, let message else { throw file.spoiled }
        let names = instead.map(\.text).joined(separator: " or ")
        let hint = instead.isEmpty ? "Search without it." : "Search \(names) instead."
        retired[name] = SearchError(.unknownSource, message, of: name, hint: hint)
    }

    static func read(_ bytes: [UInt8], _ mistakes: Mistakes) throws(CatalogueError) -> Declared {
        let name = mistakes.file
        guard bytes.count <= fileBytesMax else {
            let hint = "A source file usually has a few thousand bytes."
            throw CatalogueError(file: name, message: "is longer than \(fileBytesMax) bytes", hint: hint)
        }
        do {
            return Declared(try JSON5Reader.read(bytes), mistakes)
        } catch {
            throw CatalogueError(file: name, line: error.line, column: error.column, message: error.message)
        }
    }
}

/// Who wrote a source file: the authors of this program, or a user.
///
/// This decides which hosts the file may use.
package enum Trust: Equatable, Sendable {
    case builtIn
    case user(allowedHosts: Set<String>)

    package static let user = Trust.user(allowedHosts: [])

    /// Whether a file may use this host even if the host is not public or the address is not https.
    func allows(_ host: String) -> Bool {
        if case .user(let allowedHosts) = self { allowedHosts.contains(host) } else { true }
    }
}
