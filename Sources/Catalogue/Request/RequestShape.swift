import JSON

/// The declaration of a source's requests.
struct RequestShape: Sendable {
    static let keys = ["path", "headers", "parameters", "body"]

    /// The path for each way of access, by its name; the path for `""` is used for all other ways.
    let paths: [String: Template]
    let headers: [Parameter]
    let parameters: [Parameter]
    let body: BodyTemplate?

    init(_ object: DeclaredObject) {
        let declared = object.declared
        body = declared.part(try object["body"].map(BodyTemplate.init))
        headers = object["headers"]?.each(Parameter.header) ?? []
        parameters = object["parameters"]?.each(Parameter.init) ?? []
        paths = declared.part(try Self.paths(object.required("path"))) ?? [:]
    }

    func path(for access: String) -> Template? { paths[access] ?? paths[""] }

    private static func paths(_ declared: Declared) throws(CatalogueError) -> [String: Template] {
        guard let members = declared.node.members else { return ["": try path(declared)] }
        if members.isEmpty { declared.note("is empty", hint: "Write a path such as /v1/search.") }
        let paths = declared.each { name, value throws(CatalogueError) in (name, try path(value)) }
        return Dictionary(paths, uniquingKeysWith: { $1 })
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
            let joined = SourceGroup.joined(own.node.members ?? [], common)
            return Declared(own.node.with(.object(joined)), own.mistakes, key: own.key)
        }
        guard let hit = declared.part(try HitShape(whole ?? ofSource)) else { throw declared.spoiled }
        self.hits = hits
        self.hit = hit
    }
}
