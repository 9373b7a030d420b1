package import Catalogue
package import SearchModel

/// A source with an invalid file; it is listed, and a search that names it fails with the reason.
package struct RefusedSource: Sendable {
    package let identity: SourceHeader
    /// The problems in the order of the file; never empty.
    package let problems: [CatalogueError]

    package init(identity: SourceHeader, problems: [CatalogueError]) {
        self.identity = identity
        self.problems = problems
    }

    package var error: SearchError {
        let first = problems.first.map { ": \($0)" } ?? ""
        let others = problems.count > 1 ? ", and \(problems.count - 1) more" : ""
        return SearchError(
            .unknownSource,
            "the file of \(identity.name) is not valid\(first)\(others)",
            source: identity.name,
            retryable: false,
            hint: "“searchctl sources check \(problems.first?.file ?? "FILE")” lists its problems."
        )
    }
}
