import JSON

/// What a request asks of a channel of its connection.
struct ChannelClaim: Sendable {
    static let nameBytesMax = 64

    /// What two requests have in common that ask for the very same.
    struct Identity: Equatable, Sendable {
        /// An object of the parameters in the order of their names.
        private let text: [UInt8]

        /// From parameters that have been checked, with the query as it was understood; the channel and its debounce
        /// apart.
        init(_ parameters: JSONValue, query: String) {
            let others = (parameters.members ?? []).filter { member in
                !["query", "channel", "debounce"].contains { member.name.hasSameBytes(as: $0) }
            }
            let members = ([JSONMember("query", .string(query))] + others).sorted { left, right in
                left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
            }
            var writer = JSONWriter()
            writer.value(.object(members))
            text = writer.bytes
        }
    }

    let name: String
    /// How long the request asks to hold still; nil when it doesn't say.
    var debounce: Duration?
    /// False when the answer is here already, or nothing but what is here is searched.
    var mayCost = true
    /// Nil for a request whose work no other can take over.
    var identity: Identity?
}
