import JSON
import SearchModel

/// What a source's file declares beside its name and its account, as far as it is valid; mistakes are noted.
struct SourceParts {
    static let keys = [
        "source", "account", "kind", "title", "attribution", "request", "lookup", "sorts", "paging",
        "response",
        "hit", "options", "query", "caseInsensitive", "limits", "quotas", "ttl", "negativeTTL", "errors", "errorText",
        "weight", "halfLife", "languages",
    ]

    let kind: Kind?
    let title: String?
    let attribution: String?
    let options: [OptionSpec]
    /// Also those that are wrong.
    let optionNames: [String]
    let queryRules: QueryRules
    let caseInsensitive: Bool
    let paging: Paging?
    let limits: Limits
    let quotas: [Quota]
    let weight: Double?
    let halfLife: Duration?
    let languages: [String]
    let ttl: Duration?
    let negativeTTL: Duration?
    let request: RequestShape?
    let lookup: LookupShape?
    let sortWords: [Sort: String]
    let response: ResponseShape?
    let hit: HitShape?
    let errors: [ErrorRule]
    let errorText: [FieldPath]

    init(_ object: DeclaredObject) {
        let file = object.declared
        kind = file.part(try Self.kind(object.required("kind")))
        title = file.part(try object.required("title").string())
        attribution = file.optional(try object["attribution"]?.string())
        options = file.optional(try object["options"]?.optionSpecs()) ?? []
        optionNames = object["options"]?.node.members?.map(\.name) ?? []
        queryRules = file.optional(try object["query"]?.queryRules()) ?? .none
        caseInsensitive = file.optional(try object["caseInsensitive"]?.bool()) ?? false
        paging = file.part(try object.required("paging").paging())
        limits = file.optional(try object["limits"]?.limits()) ?? Limits()
        quotas = file.optional(try object["quotas"]?.quotas()) ?? []
        weight = file.optional(try object["weight"]?.double(in: 0.01...100))
        halfLife = file.optional(try object["halfLife"]?.duration())
        languages = file.optional(try object["languages"]?.strings()) ?? []
        ttl = file.optional(try object["ttl"]?.duration())
        negativeTTL = file.optional(try object["negativeTTL"]?.duration())
        request = file.part(try object.required("request").requestShape())
        sortWords = file.optional(try object["sorts"]?.sorts()) ?? [.relevance: ""]
        response = file.part(try object.required("response").responseShape())
        hit = file.part(try object.required("hit").hitShape())
        lookup = file.optional(try object["lookup"]?.lookupShape(hit: object["hit"]))
        errors = file.optional(try object["errors"]?.errorRules()) ?? []
        errorText = file.optional(try object["errorText"]?.fieldPaths()) ?? []
    }

    private static func kind(_ declared: Declared) throws(CatalogueError) -> Kind {
        let text = try declared.string("a kind such as blog")
        guard let kind = Kind(text) else {
            throw declared.error(
                "\u{201C}\(text)\u{201D} is no kind",
                hint: "Use a–z and digits, at most \(Kind.bytesMax)."
            )
        }
        return kind
    }
}
