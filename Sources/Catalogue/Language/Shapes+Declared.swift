import JSON

/// Reads the larger parts of a source file.
extension Declared {
    func requestShape() throws(CatalogueError) -> RequestShape {
        try requestShape(object(["method", "path", "headers", "parameters"]))
    }

    private func requestShape(_ object: DeclaredObject) throws(CatalogueError) -> RequestShape {
        let methods = RequestShape.Method.allCases.map { ($0.rawValue, $0) }
        return RequestShape(
            method: try object["method"]?.word(methods) ?? .get,
            path: try object.required("path").paths(),
            headers: try object["headers"]?.headers() ?? [],
            parameters: try object["parameters"]?.parameters() ?? []
        )
    }

    func lookupShape() throws(CatalogueError) -> LookupShape {
        let object = try object(["method", "path", "headers", "parameters", "hits"])
        return LookupShape(request: try requestShape(object), hits: try FieldPath(object.required("hits")))
    }

    /// One path, or one for each way of access.
    private func paths() throws(CatalogueError) -> RequestShape.Paths {
        guard node.members != nil else { return RequestShape.Paths(byAccess: ["": try path()]) }
        var paths: [String: Template] = [:]
        for (name, value) in try members() { paths[name] = try value.path() }
        return RequestShape.Paths(byAccess: paths)
    }

    private func path() throws(CatalogueError) -> Template {
        let text = try string("a path such as /v1/search")
        guard text.hasPrefix("/"), !text.hasPrefix("//"), !text.contains("\\") else {
            throw error("does not begin with one /", hint: "the host is the account's; write a path such as /v1/search")
        }
        return try Template(text, at: self)
    }

    func responseShape() throws(CatalogueError) -> ResponseShape {
        let object = try object(["hits", "hitsMayBeAbsent", "total", "totalIsEstimate", "reachable", "end", "must"])
        return ResponseShape(
            hits: try FieldPath(object.required("hits")),
            hitsMayBeAbsent: try object["hitsMayBeAbsent"]?.bool() ?? false,
            total: try object["total"].map(FieldPath.init),
            totalIsEstimate: try object["totalIsEstimate"]?.bool() ?? true,
            reachable: try object["reachable"].map(FieldPath.init),
            end: try object["end"]?.end() ?? ResponseShape.End(),
            must: try object["must"].map(Condition.all) ?? []
        )
    }

    private func end() throws(CatalogueError) -> ResponseShape.End {
        let object = try object(["whenTrue", "whenAbsent", "pages", "pastTotal", "shortPage"])
        return ResponseShape.End(
            whenTrue: try object["whenTrue"].map(FieldPath.init),
            whenAbsent: try object["whenAbsent"]?.fieldPaths() ?? [],
            pages: try object["pages"].map(FieldPath.init),
            pastTotal: try object["pastTotal"]?.bool() ?? false,
            shortPage: try object["shortPage"]?.bool() ?? false
        )
    }

    func hitShape() throws(CatalogueError) -> HitShape {
        let object = try object(["key", "title", "snippet", "url", "author", "published", "thumbnail", "extra"])
        var extra: [(name: String, rule: FieldRule)] = []
        for (name, value) in try object["extra"]?.members() ?? [] { extra.append((name, try FieldRule(value))) }
        return HitShape(
            key: try object["key"].map(FieldRule.init),
            title: try FieldRule(object.required("title")),
            snippet: try object["snippet"].map(FieldRule.init),
            url: try object["url"].map(FieldRule.init),
            author: try object["author"].map(FieldRule.init),
            published: try object["published"].map(FieldRule.init),
            thumbnail: try object["thumbnail"].map(FieldRule.init),
            extra: extra
        )
    }

    func errorRules() throws(CatalogueError) -> [ErrorRule] {
        var rules: [ErrorRule] = []
        for rule in try list() { rules.append(try ErrorRule(rule)) }
        return rules
    }

    func fieldPaths() throws(CatalogueError) -> [FieldPath] {
        var paths: [FieldPath] = []
        for path in try oneOrMore() { paths.append(try FieldPath(path)) }
        return paths
    }
}
