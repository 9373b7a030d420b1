import JSON

/// A request's place on a channel of its connection.
struct ChannelClaim: Sendable {
    static let nameBytesMax = 64

    /// What two requests have in common that ask for the very same.
    struct Identity: Equatable, Sendable {
        private let members: [JSONMember]

        /// From the parameters of a request, with its query as it was understood; the channel and its debounce apart.
        init(_ parameters: JSONValue, query: String) {
            let others = (parameters.members ?? []).filter { !["query", "channel", "debounce"].contains($0.name) }
            members = ([JSONMember("query", .string(query))] + others).sorted { $0.name < $1.name }
        }
    }

    let name: String
    /// How long the request asks to hold still; nil when it doesn't say.
    var debounce: Duration?
    /// False when the answer is here already, or nothing but what is here is searched.
    var mayCost = true
    /// Nil for a request whose work nobody else can take over.
    var identity: Identity?
}
