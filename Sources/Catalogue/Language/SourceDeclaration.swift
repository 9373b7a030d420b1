import JSON
import SearchModel

/// A source's file, read into a source with what its account shares.
enum SourceDeclaration {
    /// The lifetime of an answer when neither the source nor its account declares one.
    private static let ttlDefault = Duration.seconds(600)
    private static let negativeTTLDefault = Duration.seconds(60)

    /// Reads the file's object, with the accounts declared so far; what is wrong is noted.
    ///
    /// The file's own `account` may add one, but never replace one. Throws when there is no source to make; there is
    /// one also of a file with mistakes.
    static func read(
        _ file: Declared,
        family: FamilyMember?,
        accounts: inout [String: AccountDeclaration],
        trust: Trust
    ) throws(CatalogueError) -> Source {
        let object = try file.fields(family == nil ? SourceParts.keys : SourceParts.keys + ["family"])
        let name = file.part(try sourceName(object.required("source")))
        let account = file.part(try account(of: name, object, &accounts, trust)) ?? nil
        let parts = SourceParts(object)
        TemplateCheck.check(parts, account, in: object)
        guard let name, let account, let kind = parts.kind, let title = parts.title, let paging = parts.paging,
            let request = parts.request, let response = parts.response, let hit = parts.hit
        else { throw file.spoiled }
        return Source(
            name: name,
            kind: kind,
            title: title,
            attribution: parts.attribution ?? account.attribution,
            access: account.access,
            secrets: account.secrets,
            settings: account.settings,
            options: parts.options,
            queryRules: parts.queryRules,
            caseInsensitive: parts.caseInsensitive,
            paging: paging,
            limits: parts.limits,
            accountLimits: account.limits,
            quotas: account.quotas + parts.quotas,
            weight: parts.weight ?? 1,
            halfLife: parts.halfLife,
            languages: parts.languages,
            ttl: parts.ttl ?? account.ttl ?? ttlDefault,
            negativeTTL: parts.negativeTTL ?? account.negativeTTL ?? negativeTTLDefault,
            redirectHosts: account.redirectHosts,
            trust: trust,
            family: family,
            request: request,
            lookup: parts.lookup,
            itemMapper: parts.lookup.map { HitMapper(source: name, kind: kind, shape: $0.hit) },
            sortWords: parts.sortWords,
            response: response,
            mapper: HitMapper(source: name, kind: kind, shape: hit),
            errors: ErrorReader(
                source: name,
                rules: parts.errors + account.errors,
                messages: parts.errorText + account.errorText,
                quotas: account.quotas + parts.quotas
            )
        )
    }

    static func sourceName(_ declared: Declared) throws(CatalogueError) -> SourceName {
        let text = try declared.string("a name such as kakao.blog")
        guard let name = SourceName(text) else {
            throw declared.error(
                "\u{201C}\(text)\u{201D} is no source name",
                hint: "Use account.part, of a–z, 0–9, - and _, at most \(SourceName.bytesMax) bytes."
            )
        }
        return name
    }

    /// The account of a source; nil when the source's name is wrong, which has been noted.
    private static func account(
        of name: SourceName?,
        _ object: DeclaredObject,
        _ accounts: inout [String: AccountDeclaration],
        _ trust: Trust
    ) throws(CatalogueError) -> AccountDeclaration? {
        guard let name else {
            return try object["account"].map { own throws(CatalogueError) in
                try AccountDeclaration(name: "", own.fields(AccountDeclaration.keys), trust: trust)
            }
        }
        if let own = object["account"] {
            // Otherwise a file could have the secrets of an account sent to a host of its choice.
            if let known = accounts[name.account], known.file != own.file || known.trust != trust {
                throw own.error(
                    "is declared already",
                    hint: "Leave it out to use it, or give the source another first part."
                )
            }
            let account = try AccountDeclaration(name: name.account, own.fields(AccountDeclaration.keys), trust: trust)
            accounts[name.account] = account
            return account
        }
        guard let account = accounts[name.account] else {
            throw object.declared.error("has no account \(name.account)", hint: "Say under account how it is reached.")
        }
        return account
    }
}
