package import HTTP

/// What the sandbox answers to one request, and how it brings it across.
package struct SandboxAnswer: Equatable, Sendable {
    package var response: HTTPResponse
    package var delivery: SandboxDelivery

    init(_ response: HTTPResponse, delivery: SandboxDelivery = SandboxDelivery()) {
        self.response = response
        self.delivery = delivery
    }
}

/// How an answer travels: the faults that happen below HTTP's meaning.
package struct SandboxDelivery: Equatable, Sendable {
    package enum Manner: Equatable, Sendable {
        case whole
        /// Nothing is ever sent; the connection stays open.
        case hang
        /// The head and so many bytes of the body, then nothing; the connection stays open.
        case stall(after: Int)
        /// The head and so many bytes of the body, then the connection closes.
        case cut(after: Int)
        /// The connection closes before anything is sent.
        case refuse
        /// The body in pieces of so many bytes, with a pause before each.
        case drip(bytes: Int, pause: Duration)
        /// The head claims another length than the body has; the connection closes after the body.
        case claim(length: Int)
    }

    /// Before the first byte.
    package var delay = Duration.zero
    package var manner = Manner.whole
}
