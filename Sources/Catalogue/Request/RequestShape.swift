/// How a source's requests are built.
struct RequestShape: Equatable, Sendable {
    enum Method: String, CaseIterable, Sendable {
        case get = "GET"
        /// Parameters are sent as a form in the body.
        case post = "POST"
    }

    /// The paths by way of access; the path under "" is the default.
    struct Paths: Equatable, Sendable {
        let byAccess: [String: Template]

        subscript(access: String) -> Template? { byAccess[access] ?? byAccess[""] }
    }

    let method: Method
    let path: Paths
    let headers: [Parameter]
    let parameters: [Parameter]
}

/// How to fetch the record of one item by its key.
struct LookupShape: Sendable {
    let request: RequestShape
    /// The path of the record; the first one if there are several.
    let hits: FieldPath
    /// The rules for the hit's fields.
    let hit: HitShape
}
