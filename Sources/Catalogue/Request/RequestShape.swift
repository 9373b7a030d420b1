/// How a source's requests are built.
struct RequestShape: Equatable, Sendable {
    enum Method: String, CaseIterable, Sendable {
        case get = "GET"
        /// The parameters travel as a form in the body.
        case post = "POST"
    }

    /// A path for every way of access that has one of its own; under "" for the others.
    struct Paths: Equatable, Sendable {
        let byAccess: [String: Template]

        subscript(access: String) -> Template? { byAccess[access] ?? byAccess[""] }
    }

    let method: Method
    let path: Paths
    let headers: [Parameter]
    let parameters: [Parameter]
}

/// How the record of one item is fetched by its key.
struct LookupShape: Sendable {
    let request: RequestShape
    /// Where the record is; of several the first.
    let hits: FieldPath
    /// Where the fields of the hit come from.
    let hit: HitShape
}
