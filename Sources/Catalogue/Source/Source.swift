import JSON
package import SearchModel

/// A source as declared in its file; it creates requests and reads responses.
package struct Source: Sendable {
    package let name: SourceName
    package let kind: Kind
    package let title: String
    package let attribution: String?
    package let shared: AccountDeclaration
    package let options: [OptionSpec]
    package let queryRules: QueryRules
    package let caseInsensitive: Bool
    let dropsEmails: Bool
    /// Whether searchd searches the hits itself, because the source accepts no query.
    package let isSearchedHere: Bool
    /// Whether a search while the user types may call the source.
    package let whileTyping: Bool
    package let paging: Paging
    package let limits: Limits
    package let quotas: [Quota]
    package let weight: Double
    /// The age at which a hit has half of the bonus of a new hit; nil if the age does not matter.
    package let halfLife: Duration?
    /// Such as `ko`; empty if hits may be in any language.
    package let languages: [String]
    package let ttl: Duration
    package let negativeTTL: Duration
    package let trust: Trust

    let family: FamilyMember?
    let request: RequestShape
    let lookup: LookupShape?
    let sortWords: [Sort: String]
    let response: ResponseShape
    let hit: HitShape
    /// The start of the ids of all hits.
    let idPrefix: String
    let errors: [ErrorRule]
    let errorText: [FieldPath]

    private static let keys = [
        "source", "account", "kind", "title", "attribution", "request", "lookup", "sorts", "paging", "response", "hit",
        "options", "query", "caseInsensitive", "dropEmails", "searchedHere", "whileTyping", "limits", "quotas", "ttl",
        "negativeTTL", "errors", "errorText", "weight", "halfLife", "languages",
    ]
    private static let ttlDefault = Duration.seconds(600)
    private static let negativeTTLDefault = Duration.seconds(60)

    init(_ file: Declared, family: FamilyMember?, accounts: inout [String: AccountDeclaration]) throws(CatalogueError) {
        let earlier = file.mistakes.placeholders
        file.mistakes.placeholders = []
        defer { file.mistakes.placeholders += earlier }
        let object = try file.fields(family == nil ? Self.keys : Self.keys + ["family"])
        let name = file.part(try Self.sourceName(object.required("source")))
        let shared = file.part(try Self.account(of: name, object, &accounts))
        let hint = "Use a–z and digits, at most \(Kind.bytesMax)."
        let kind = file.part(
            try object.required("kind").parsed("a kind such as blog", as: "kind", hint: hint) { Kind($0) }
        )
        let title = file.part(try object.required("title").string())
        attribution = file.part(try object["attribution"]?.string()) ?? shared?.attribution
        options = object["options"]?.each(OptionSpec.init) ?? []
        queryRules = file.part(try object["query"].map(QueryRules.init)) ?? QueryRules()
        caseInsensitive = file.part(try object["caseInsensitive"]?.bool()) ?? false
        dropsEmails = file.part(try object["dropEmails"]?.bool()) ?? false
        isSearchedHere = file.part(try object["searchedHere"]?.bool()) ?? false
        let paging = file.part(try Paging(object.required("paging")))
        limits = file.part(try object["limits"].map(Limits.init)) ?? Limits()
        quotas = (shared?.quotas ?? []) + (object["quotas"]?.each(Quota.init) ?? [])
        let whileTyping = file.part(try object["whileTyping"]?.bool())
        self.whileTyping = whileTyping ?? true && quotas.allSatisfy { $0.currency == nil }
        weight = file.part(try object["weight"]?.double(in: 0.01...100)) ?? 1
        halfLife = file.part(try object["halfLife"]?.duration())
        languages = file.part(try object["languages"]?.strings()) ?? []
        ttl = file.part(try object["ttl"]?.duration()) ?? shared?.ttl ?? Self.ttlDefault
        negativeTTL = file.part(try object["negativeTTL"]?.duration()) ?? shared?.negativeTTL ?? Self.negativeTTLDefault
        let request = file.part(try RequestShape(object.required("request").fields(RequestShape.keys)))
        sortWords = file.part(try object["sorts"].map(Self.sortWords)) ?? [.relevance: ""]
        let response = file.part(try ResponseShape(object.required("response")))
        let hit = file.part(try HitShape(object.required("hit")))
        lookup = file.part(
            try object["lookup"].map { own throws(CatalogueError) in try LookupShape(own, hit: object["hit"]) }
        )
        errors = (object["errors"]?.each(ErrorRule.init) ?? []) + (shared?.errors ?? [])
        errorText = (object["errorText"]?.oneOrMore(FieldPath.init) ?? []) + (shared?.errorText ?? [])
        if let request, !request.paths.isEmpty {
            for access in shared?.access ?? [] where request.path(for: access.name) == nil {
                let hint = "Write path: {\(access.name): \"/…\"}."
                object["request"]?.note("has no path for the access \(access.name)", hint: hint)
            }
        }
        // Includes options with mistakes, because those mistakes are already recorded.
        file.checkTemplates(of: shared, options: object["options"]?.node.members?.map(\.name) ?? [])
        guard let name, let shared, let kind, let title, let paging, let request, let response, let hit else {
            throw file.spoiled
        }
        self.name = name
        self.kind = kind
        self.title = title
        self.paging = paging
        self.request = request
        self.response = response
        self.family = family
        trust = file.mistakes.trust
        self.shared = shared
        self.hit = hit
        idPrefix = name.text + ":"
    }

    private static func sortWords(_ declared: Declared) throws(CatalogueError) -> [Sort: String] {
        let object = try declared.fields(Sort.allCases.map(\.rawValue))
        _ = declared.part(try object.required("relevance"))
        var words: [Sort: String] = [:]
        for sort in Sort.allCases { words[sort] = declared.part(try object[sort.rawValue]?.anyString()) }
        return words
    }

    static func sourceName(_ declared: Declared) throws(CatalogueError) -> SourceName {
        let hint = "Use account.part, of a–z, 0–9, - and _, at most \(SourceName.bytesMax) bytes."
        return try declared.parsed("a name such as kakao.blog", as: "source name", hint: hint) { SourceName($0) }
    }

    private static func account(
        of name: SourceName?,
        _ object: DeclaredObject,
        _ accounts: inout [String: AccountDeclaration]
    ) throws(CatalogueError) -> AccountDeclaration? {
        let known = name.flatMap { accounts[$0.account] }
        guard let own = object["account"] else {
            if let name, known == nil {
                throw object.declared.error("has no account \(name.account)", hint: "Declare it in account.")
            }
            return known
        }
        // A second declaration could send the account's secrets to any host.
        if let known, known.file != own.file || known.trust != own.mistakes.trust {
            let hint = "To use that account, omit “account”. Or change the first part of the source's name."
            throw own.error("is already declared", hint: hint)
        }
        let account = try AccountDeclaration(own.fields(AccountDeclaration.keys))
        if let name { accounts[name.account] = account }
        return account
    }

    package var account: String { name.account }

    package var sorts: [Sort] { Sort.allCases.filter { sortWords[$0] != nil } }

    package func sortWord(_ sort: Sort) -> String? { Self.word(for: sort, of: sortWords) }

    package var keyless: Bool { shared.access.contains { $0.secrets.isEmpty } }

    package func mayHave(page: Int) -> Bool {
        paging.pagesMax.map { page < $0 } ?? true
    }

    package var hasLookup: Bool { lookup != nil }

    package func access(with configured: some Collection<String>) -> Access? {
        shared.access.first { $0.secrets.allSatisfy(configured.contains) }
    }

    func keyCommands(_ account: AccountAccess) -> String {
        let (command, ways) = ("\(account.keysCommand) \(self.account)", keyWays(account))
        return ways.isEmpty ? "“\(command)”" : ways.map { "“\(command) \($0)”" }.joined(separator: " or ")
    }

    /// Returns the names of the ways of access for a hint about keys; empty if at most one way needs a key.
    package func keyWays(_ account: AccountAccess) -> [String] {
        let ways = shared.access.filter { !$0.secrets.isEmpty }
        guard ways.count > 1 else { return [] }
        func isThere(_ secret: String) -> Bool { account.secrets[secret] != nil }
        let used = ways.first { $0.secrets.allSatisfy(isThere) } ?? ways.first { $0.secrets.contains(where: isThere) }
        return (used.map { [$0] } ?? ways).map(\.name)
    }
}
