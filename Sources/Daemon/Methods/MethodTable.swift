import JSON
import RPC
import SearchModel

/// Every method and every notification of clients by name: what a daemon serves, `server/hello` and `rpc.discover`
/// list.
///
/// A name that is registered twice traps at the start.
struct MethodTable: Sendable {
    private let methods: [ExactText: any Method]
    private let notifications: [ExactText: any ClientNotification]
    /// In the order of registration, for discovery.
    let descriptions: [MethodDescription]
    /// What `server/hello` lists, in the order of registration.
    let capabilities: [String]

    /// - Parameters:
    ///   - methods: The daemon's own.
    ///   - notifications: What clients may send.
    init(_ methods: [any Method], notifications: [any ClientNotification] = []) {
        self.methods = Dictionary(uniqueKeysWithValues: methods.map { (ExactText($0.description.name), $0) })
        self.notifications = Dictionary(
            uniqueKeysWithValues: notifications.map { (ExactText($0.description.notification.rawValue), $0) }
        )
        descriptions = methods.map(\.description)
        capabilities = methods.flatMap(\.capabilities)
    }

    /// The names of those that work on data of the caller's own.
    var personal: Set<String> { Set(methods.values.filter { $0.permission == .ownData }.map(\.description.name)) }

    subscript(name: String) -> (any Method)? { methods[ExactText(name)] }

    subscript(notification name: String) -> (any ClientNotification)? { notifications[ExactText(name)] }

    /// The answer to a name that is not here.
    func notFound(_ name: String) -> SearchError {
        let nearest = NearestName.of(name, among: descriptions.map(\.name))
        let hint =
            name.hasSameBytes(as: "initialize")
            ? "“searchctl mcp” serves the Model Context Protocol."
            : nearest.map(NearestName.question) ?? "rpc.discover lists the methods."
        return SearchError(.methodNotFound, "there is no such method", retryable: false, hint: hint)
    }
}
