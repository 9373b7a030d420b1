import JSON

/// The paths of the hits and totals in the responses of a source.
struct ResponseShape: Equatable, Sendable {
    /// How to recognise the last page; an empty page is always the last.
    struct End: Equatable, Sendable {
        var whenTrue: FieldPath?
        var whenFalse: FieldPath?
        var whenAbsent: [FieldPath] = []
        /// The path of a number of items; a page that begins after this number has no new items.
        var behind: FieldPath?
        var pages: FieldPath?
        var pastTotal = false
        var shortPage = false
        /// Whether the first page is the last if it is short and has at least as many items as the total.
        var wholeOnFirst = false
    }

    let isXML: Bool
    let hits: [FieldPath]
    /// Whether a response without `hits` is an empty result instead of an error.
    let hitsMayBeAbsent: Bool
    let total: FieldPath?
    let totalIsEstimate: Bool
    let reachable: FieldPath?
    let end: End
    /// The path of the seconds that the source wants between this call and the next.
    let pause: FieldPath?
    let must: [Condition]

    func lists(in root: JSONCursor) -> [JSONCursor] {
        hits.compactMap { $0.first(from: root) }.filter { !$0.isNull }
    }

    func elements(of document: JSONDocument) -> [Int]? {
        let lists = lists(in: document.root)
        guard !lists.isEmpty || hitsMayBeAbsent, lists.allSatisfy({ $0.kind == .array }) else { return nil }
        return lists.flatMap { document.elements(at: $0.index) }
    }

    init(_ declared: Declared) throws(CatalogueError) {
        let object = try declared.fields([
            "format", "hits", "hitsMayBeAbsent", "total", "totalIsEstimate", "reachable", "end", "pause", "must",
        ])
        isXML = declared.optional(try object["format"]?.word([("json", false), ("xml", true)])) ?? false
        hitsMayBeAbsent = declared.optional(try object["hitsMayBeAbsent"]?.bool()) ?? false
        total = declared.optional(try object["total"].map(FieldPath.init))
        totalIsEstimate = declared.optional(try object["totalIsEstimate"]?.bool()) ?? true
        reachable = declared.optional(try object["reachable"].map(FieldPath.init))
        end = declared.optional(try object["end"].map(End.init)) ?? End()
        pause = declared.optional(try object["pause"].map(FieldPath.init))
        must = object["must"]?.each(Condition.init) ?? []
        hits = try object.required("hits").oneOrMore(FieldPath.ofList)
    }
}

extension ResponseShape.End {
    fileprivate init(_ declared: Declared) throws(CatalogueError) {
        let object = try declared.fields([
            "whenTrue", "whenFalse", "whenAbsent", "pages", "pastTotal", "shortPage", "wholeOnFirst", "behind",
        ])
        whenTrue = declared.optional(try object["whenTrue"].map(FieldPath.init))
        whenFalse = declared.optional(try object["whenFalse"].map(FieldPath.init))
        whenAbsent = object["whenAbsent"]?.oneOrMore(FieldPath.init) ?? []
        behind = declared.optional(try object["behind"].map(FieldPath.init))
        pages = declared.optional(try object["pages"].map(FieldPath.init))
        pastTotal = declared.optional(try object["pastTotal"]?.bool()) ?? false
        shortPage = declared.optional(try object["shortPage"]?.bool()) ?? false
        wholeOnFirst = declared.optional(try object["wholeOnFirst"]?.bool()) ?? false
    }
}
