import JSON

/// Reads the larger parts of a source file.
extension Declared {
    func requestShape() throws(CatalogueError) -> RequestShape {
        try requestShape(fields(["method", "path", "headers", "parameters"]))
    }

    private func requestShape(_ object: DeclaredObject) throws(CatalogueError) -> RequestShape {
        let methods = RequestShape.Method.allCases.map { ($0.rawValue, $0) }
        let method = optional(try object["method"]?.word(methods)) ?? .get
        let headers = optional(try object["headers"]?.headers()) ?? []
        let parameters = optional(try object["parameters"]?.parameters()) ?? []
        let path = part(try object.required("path").paths()) ?? RequestShape.Paths(byAccess: [:])
        return RequestShape(method: method, path: path, headers: headers, parameters: parameters)
    }

    /// Reads how to fetch one item; members of the lookup's `hit` replace the source's.
    func lookupShape(hit ofSource: Declared?) throws(CatalogueError) -> LookupShape {
        let object = try fields(["method", "path", "headers", "parameters", "hits", "hit"])
        let hits = part(try FieldPath(object.required("hits")))
        let request = try requestShape(object)
        // Mistakes in the source's own `hit` have been noted already.
        guard let ofSource, ofSource.node.members != nil, let hits else { throw spoiled }
        if ofSource.node["key"] == nil { note("needs hit.key", hint: "Say under hit where the key of a hit is.") }
        let hit = try object["hit"].map { own throws(CatalogueError) in try own.joined(onto: ofSource) } ?? ofSource
        guard let shape = part(try hit.hitShape()) else { throw spoiled }
        return LookupShape(request: request, hits: hits, hit: shape)
    }

    /// Returns this object plus the other object's remaining members.
    private func joined(onto other: Declared) throws(CatalogueError) -> Declared {
        _ = try members()
        let joined = SourceGroup.joined(node.members ?? [], other.node.members ?? [])
        let whole = JSON5Node(.object(joined), line: node.line, column: node.column)
        return Declared(node: whole, file: file, key: key, mistakes: mistakes)
    }

    /// Reads one path, or one path for each way of access.
    private func paths() throws(CatalogueError) -> RequestShape.Paths {
        guard node.members != nil else { return RequestShape.Paths(byAccess: ["": try path()]) }
        var paths: [String: Template] = [:]
        let members = try members()
        guard !members.isEmpty else { throw error("is empty", hint: "Write a path such as /v1/search.") }
        for (name, value) in members { paths[name] = part(try value.path()) }
        return RequestShape.Paths(byAccess: paths)
    }

    private func path() throws(CatalogueError) -> Template {
        let text = try string("a path such as /v1/search")
        guard text.hasPrefix("/"), !text.hasPrefix("//"), !text.contains("\\") else {
            throw error(
                "does not begin with one /",
                hint: "The host is the account's; write a path such as /v1/search."
            )
        }
        return try Template(text, at: self)
    }

    func responseShape() throws(CatalogueError) -> ResponseShape {
        let object = try fields([
            "hits", "hitsMayBeAbsent", "total", "totalIsEstimate", "reachable", "end", "must",
        ])
        let hitsMayBeAbsent = optional(try object["hitsMayBeAbsent"]?.bool()) ?? false
        let total = optional(try object["total"].map(FieldPath.init))
        let totalIsEstimate = optional(try object["totalIsEstimate"]?.bool()) ?? true
        let reachable = optional(try object["reachable"].map(FieldPath.init))
        let end = optional(try object["end"]?.end()) ?? ResponseShape.End()
        let must = optional(try object["must"].map(Condition.all)) ?? []
        return ResponseShape(
            hits: try FieldPath(object.required("hits")),
            hitsMayBeAbsent: hitsMayBeAbsent,
            total: total,
            totalIsEstimate: totalIsEstimate,
            reachable: reachable,
            end: end,
            must: must
        )
    }

    private func end() throws(CatalogueError) -> ResponseShape.End {
        let object = try fields([
            "whenTrue", "whenAbsent", "pages", "pastTotal", "shortPage", "wholeOnFirst", "behind",
        ])
        return ResponseShape.End(
            whenTrue: optional(try object["whenTrue"].map(FieldPath.init)),
            whenAbsent: optional(try object["whenAbsent"]?.fieldPaths()) ?? [],
            behind: optional(try object["behind"].map(FieldPath.init)),
            pages: optional(try object["pages"].map(FieldPath.init)),
            pastTotal: optional(try object["pastTotal"]?.bool()) ?? false,
            shortPage: optional(try object["shortPage"]?.bool()) ?? false,
            wholeOnFirst: optional(try object["wholeOnFirst"]?.bool()) ?? false
        )
    }

    func hitShape() throws(CatalogueError) -> HitShape {
        let object = try fields([
            "key", "title", "snippet", "url", "author", "published", "thumbnail", "extra",
        ])
        func rule(_ name: String) -> Rule? { optional(try object[name].map(Rule.init)) }
        var extra: [HitShape.Extra] = []
        for (name, value) in members(of: object["extra"]) {
            if let rule = part(try Rule(value)) { extra.append(HitShape.Extra(name: name, rule: rule)) }
        }
        return HitShape(
            key: rule("key"),
            snippet: rule("snippet"),
            url: rule("url"),
            author: rule("author"),
            published: rule("published"),
            thumbnail: rule("thumbnail"),
            extra: extra,
            // Read last, so that the other fields' mistakes are noted even when the title is missing.
            title: try Rule(object.required("title"))
        )
    }

    func errorRules() throws(CatalogueError) -> [ErrorRule] {
        all(try list(), ErrorRule.init)
    }

    func fieldPaths() throws(CatalogueError) -> [FieldPath] {
        all(try oneOrMore(), FieldPath.init)
    }
}
