/// The paths of the hits and totals in a source's response.
struct ResponseShape: Equatable, Sendable {
    /// How to recognise the last page; an empty page is always the last.
    struct End: Equatable, Sendable {
        /// The last page has true at this path.
        var whenTrue: FieldPath?
        /// Nothing at any of these: the last page.
        var whenAbsent: [FieldPath] = []
        /// The path of a count of items; a page that begins after this count has no new items.
        var behind: FieldPath?
        /// The path of the number of pages.
        var pages: FieldPath?
        /// The last page's items reach the total.
        var pastTotal = false
        /// The last page has fewer items than requested.
        var shortPage = false
        /// A first page is the last if it has fewer items than requested and at least the total.
        var wholeOnFirst = false
    }

    let hits: FieldPath
    /// Whether a response without `hits` is an empty result; otherwise it does not have the source's format.
    let hitsMayBeAbsent: Bool
    let total: FieldPath?
    let totalIsEstimate: Bool
    let reachable: FieldPath?
    let end: End
    /// What must hold of every answer of this source.
    let must: [Condition]
}

extension ResponseShape {
    init(_ declared: Declared) throws(CatalogueError) {
        let object = try declared.fields([
            "hits", "hitsMayBeAbsent", "total", "totalIsEstimate", "reachable", "end", "must",
        ])
        hitsMayBeAbsent = declared.optional(try object["hitsMayBeAbsent"]?.bool()) ?? false
        total = declared.optional(try object["total"].map(FieldPath.init))
        totalIsEstimate = declared.optional(try object["totalIsEstimate"]?.bool()) ?? true
        reachable = declared.optional(try object["reachable"].map(FieldPath.init))
        end = declared.optional(try object["end"].map(End.init)) ?? End()
        must = declared.optional(try object["must"].map(Condition.all)) ?? []
        hits = try FieldPath(object.required("hits"))
    }
}

extension ResponseShape.End {
    fileprivate init(_ declared: Declared) throws(CatalogueError) {
        let object = try declared.fields([
            "whenTrue", "whenAbsent", "pages", "pastTotal", "shortPage", "wholeOnFirst", "behind",
        ])
        whenTrue = declared.optional(try object["whenTrue"].map(FieldPath.init))
        whenAbsent = declared.optional(try object["whenAbsent"].map(FieldPath.all)) ?? []
        behind = declared.optional(try object["behind"].map(FieldPath.init))
        pages = declared.optional(try object["pages"].map(FieldPath.init))
        pastTotal = declared.optional(try object["pastTotal"]?.bool()) ?? false
        shortPage = declared.optional(try object["shortPage"]?.bool()) ?? false
        wholeOnFirst = declared.optional(try object["wholeOnFirst"]?.bool()) ?? false
    }
}
