import JSON
import RPC
import SearchModel

/// Every method by name: the only list of them.
///
/// A name that is registered twice traps at the start.
struct MethodTable: Sendable {
    private let methods: [ExactText: any Method]
    /// In the order of registration, for discovery.
    let descriptions: [MethodDescription]
    /// What `server/hello` lists, in the order of registration.
    let capabilities: [String]

    init(_ methods: [any Method]) {
        self.methods = Dictionary(uniqueKeysWithValues: methods.map { (ExactText($0.description.name), $0) })
        descriptions = methods.map(\.description)
        capabilities = methods.flatMap(\.capabilities)
    }

    subscript(name: String) -> (any Method)? { methods[ExactText(name)] }

    /// The answer to a name that is not here.
    func notFound(_ name: String) -> SearchError {
        let nearest = NearestName.of(name, among: descriptions.map(\.name))
        return SearchError(
            .methodNotFound,
            "there is no such method",
            retryable: false,
            hint: nearest.map { "Did you mean \"\($0)\"?" } ?? "rpc.discover lists the methods."
        )
    }
}
