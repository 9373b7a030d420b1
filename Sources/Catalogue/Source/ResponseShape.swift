import JSON

/// The paths of the hits and totals in the responses of a source.
struct ResponseShape: Equatable, Sendable {
    /// How to recognise the last page; an empty page is always the last.
    struct End: Equatable, Sendable {
        var whenTrue: FieldPath?
        var whenFalse: FieldPath?
        var whenAbsent: [FieldPath] = []
        /// The path of the number of available items; a page that would begin after the last of them has no new items.
        var behind: FieldPath?
        var pages: FieldPath?
        var pastTotal = false
        var shortPage = false
        /// If true, a first page that is not full and contains `total` items or more is the last page.
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
        isXML = declared.part(try object["format"]?.word([("json", false), ("xml", true)])) ?? false
        hitsMayBeAbsent = declared.part(try object["hitsMayBeAbsent"]?.bool()) ?? false
        total = declared.part(try object["total"].map(FieldPath.init))
        totalIsEstimate = declared.part(try object["totalIsEstimate"]?.bool()) ?? true
        reachable = declared.part(try object["reachable"].map(FieldPath.init))
        end = declared.part(try object["end"].map(End.init)) ?? End()
        pause = declared.part(try object["pause"].map(FieldPath.init))
        must = object["must"]?.each(Condition.init) ?? []
        hits = try object.required("hits").oneOrMore(FieldPath.ofList)
    }
}

extension ResponseShape.End {
    fileprivate init(_ declared: Declared) throws(CatalogueError) {
        let object = try declared.fields([
            "whenTrue", "whenFalse", "whenAbsent", "pages", "pastTotal", "shortPage", "wholeOnFirst", "behind",
        ])
        whenTrue = declared.part(try object["whenTrue"].map(FieldPath.init))
        whenFalse = declared.part(try object["whenFalse"].map(FieldPath.init))
        whenAbsent = object["whenAbsent"]?.oneOrMore(FieldPath.init) ?? []
        behind = declared.part(try object["behind"].map(FieldPath.init))
        pages = declared.part(try object["pages"].map(FieldPath.init))
        pastTotal = declared.part(try object["pastTotal"]?.bool()) ?? false
        shortPage = declared.part(try object["shortPage"]?.bool()) ?? false
        wholeOnFirst = declared.part(try object["wholeOnFirst"]?.bool()) ?? false
    }
}
