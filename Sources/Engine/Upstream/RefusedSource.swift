package import Catalogue
package import SearchModel

/// A source whose file is wrong: it is listed, and whoever asks for it learns why it is not there.
package struct RefusedSource: Sendable {
    package let identity: SourceIdentity
    package let problem: CatalogueError

    package init(identity: SourceIdentity, problem: CatalogueError) {
        self.identity = identity
        self.problem = problem
    }

    /// What asking for it is answered.
    package var error: SearchError {
        SearchError(
            .unknownSource,
            "the file of \(identity.name) is wrong: \(problem)",
            source: identity.name,
            retryable: false,
            hint: "searchctl sources check \(problem.file) says when it is right."
        )
    }
}
