import JSON
import SearchModel

/// A source's file, read into a source with what its account shares.
enum SourceDeclaration {
    static let keys = [
        "source", "account", "kind", "title", "attribution", "request", "lookup", "sorts", "paging",
        "response",
        "hit", "options", "query", "caseInsensitive", "limits", "quotas", "ttl", "negativeTTL", "errors", "errorText",
    ]

    /// When neither the source nor its account says how long an answer keeps.
    private static let ttlDefault = Duration.seconds(600)
    private static let negativeTTLDefault = Duration.seconds(60)

    /// Reads the file's object, with the accounts declared so far.
    ///
    /// The file's own `account` may add one, but never replace one.
    static func read(
        _ file: Declared,
        family: FamilyMember?,
        accounts: inout [String: AccountDeclaration],
        trust: Trust
    ) throws(CatalogueError) -> Source {
        let object = try file.object(family == nil ? keys : keys + ["family"])
        let name = try sourceName(object.required("source"))
        let account = try account(of: name, object, &accounts, trust)
        let kind = try kind(object.required("kind"))
        let hit = try object.required("hit").hitShape()
        let ownQuotas = try object["quotas"]?.quotas() ?? []
        let source = Source(
            name: name,
            kind: kind,
            title: try object.required("title").string(),
            attribution: try object["attribution"]?.string() ?? account.attribution,
            access: account.access,
            secrets: account.secrets,
            settings: account.settings,
            options: try object["options"]?.optionSpecs() ?? [],
            queryRules: try object["query"]?.queryRules() ?? .none,
            caseInsensitive: try object["caseInsensitive"]?.bool() ?? false,
            paging: try object.required("paging").paging(),
            limits: try object["limits"]?.limits() ?? Limits(),
            accountLimits: account.limits,
            quotas: account.quotas + ownQuotas,
            ttl: try object["ttl"]?.duration() ?? account.ttl ?? ttlDefault,
            negativeTTL: try object["negativeTTL"]?.duration() ?? account.negativeTTL ?? negativeTTLDefault,
            redirectHosts: account.redirectHosts,
            trust: trust,
            family: family,
            request: try object.required("request").requestShape(),
            lookup: try object["lookup"]?.lookupShape(),
            sortWords: try object["sorts"]?.sorts() ?? [.relevance: ""],
            response: try object.required("response").responseShape(),
            hit: hit,
            mapper: HitMapper(source: name, kind: kind, shape: hit),
            errors: ErrorReader(
                source: name,
                rules: (try object["errors"]?.errorRules() ?? []) + account.errors,
                messages: (try object["errorText"]?.fieldPaths() ?? []) + account.errorText,
                quotas: account.quotas + ownQuotas
            )
        )
        try TemplateCheck.check(source, in: object)
        return source
    }

    static func sourceName(_ declared: Declared) throws(CatalogueError) -> SourceName {
        let text = try declared.string("a name such as kakao.blog")
        guard let name = SourceName(text) else {
            throw declared.error(
                "\u{201C}\(text)\u{201D} is no source name",
                hint: "use account.part, of a–z, 0–9, - and _, at most \(SourceName.bytesMax) bytes"
            )
        }
        return name
    }

    private static func kind(_ declared: Declared) throws(CatalogueError) -> Kind {
        let text = try declared.string("a kind such as blog")
        guard let kind = Kind(text) else {
            throw declared.error(
                "\u{201C}\(text)\u{201D} is no kind",
                hint: "use a–z and digits, at most \(Kind.bytesMax)"
            )
        }
        return kind
    }

    private static func account(
        of name: SourceName,
        _ object: DeclaredObject,
        _ accounts: inout [String: AccountDeclaration],
        _ trust: Trust
    ) throws(CatalogueError) -> AccountDeclaration {
        if let own = object["account"] {
            // Otherwise a file could have the secrets of an account sent to a host of its choice.
            if let known = accounts[name.account], known.file != own.file || known.trust != trust {
                throw own.error(
                    "is declared already",
                    hint: "leave it out to use it, or give the source another first part"
                )
            }
            let account = try AccountDeclaration(name: name.account, own.object(AccountDeclaration.keys), trust: trust)
            accounts[name.account] = account
            return account
        }
        guard let account = accounts[name.account] else {
            throw object.place.error("has no account \(name.account)", hint: "say under account how it is reached")
        }
        return account
    }
}
