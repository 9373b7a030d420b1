import JSON

/// The declaration of a source's requests.
struct RequestShape: Sendable {
    static let keys = ["path", "headers", "parameters", "body"]

    /// The path for each way of access; the path for `""` is the default.
    let paths: [String: Template]
    let headers: [Parameter]
    let parameters: [Parameter]
    let body: BodyTemplate?

    init(_ object: DeclaredObject) {
        let declared = object.declared
        body = declared.optional(try object["body"].map(BodyTemplate.init))
        headers = object["headers"]?.each(Parameter.header) ?? []
        parameters = object["parameters"]?.each(Parameter.init) ?? []
        paths = declared.part(try Self.paths(object.required("path"))) ?? [:]
    }

    func path(for access: String) -> Template? { paths[access] ?? paths[""] }

    private static func paths(_ declared: Declared) throws(CatalogueError) -> [String: Template] {
        guard declared.node.members != nil else { return ["": try path(declared)] }
        var paths: [String: Template] = [:]
        let members = try declared.members()
        guard !members.isEmpty else { throw declared.error("is empty", hint: "Write a path such as /v1/search.") }
        for (name, value) in members { paths[name] = value.part(try path(value)) }
        return paths
    }

    private static func path(_ declared: Declared) throws(CatalogueError) -> Template {
        let text = try declared.string("a path such as /v1/search")
        guard text.hasPrefix("/"), !text.hasPrefix("//"), !text.contains("\\") else {
            let hint = "Write a path such as /v1/search. The host belongs to the account."
            throw declared.error("does not begin with one /", hint: hint)
        }
        return try Template(declared)
    }
}

struct LookupShape: Sendable {
    let request: RequestShape
    let hits: FieldPath
    let hit: HitShape

    /// The members of the lookup's `hit` replace those of the source's `hit`.
    init(_ declared: Declared, hit ofSource: Declared?) throws(CatalogueError) {
        let object = try declared.fields(RequestShape.keys + ["hits", "hit"])
        let hits = declared.part(try FieldPath(object.required("hits")))
        request = RequestShape(object)
        guard let ofSource, let common = ofSource.node.members, let hits else { throw declared.spoiled }
        if ofSource.node["key"] == nil {
            declared.note("needs hit.key", hint: "Write the path of the key in hit.key.")
        }
        let whole = try object["hit"].map { own throws(CatalogueError) in
            _ = try own.members()
            return own.with(.object(SourceGroup.joined(own.node.members ?? [], common)))
        }
        guard let hit = declared.part(try HitShape(whole ?? ofSource)) else { throw declared.spoiled }
        self.hits = hits
        self.hit = hit
    }
}
