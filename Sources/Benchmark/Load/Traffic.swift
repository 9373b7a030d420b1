/// The requests to one peer, in rotation, and what right answers to them are.
struct Traffic: Sendable {
    /// A request and what its answer must be.
    struct Exchange: Sendable {
        /// The request up to its id, and all of it when it has none.
        let head: [UInt8]
        /// What follows the id; nil when the request has no id.
        var tail: [UInt8]?
        /// Bytes that only an answer to this very request holds; empty when the peer answers everything alike.
        var mark: [UInt8] = []
        /// How long the answer may be, with its frame.
        let length: ClosedRange<Int>
    }

    let exchanges: [Exchange]
    let framing: AnswerFraming

    /// Traps without exchanges.
    init(_ exchanges: [Exchange], framing: AnswerFraming) {
        precondition(!exchanges.isEmpty)
        self.exchanges = exchanges
        self.framing = framing
    }

    /// Appends the request with this id; ids rise, so every request differs from those before it.
    func appendRequest(id: Int, to bytes: inout [UInt8]) {
        let exchange = exchanges[id % exchanges.count]
        bytes.append(contentsOf: exchange.head)
        guard let tail = exchange.tail else { return }
        appendDecimal(id, to: &bytes)
        bytes.append(contentsOf: tail)
    }

    /// Whether a whole frame answers the request with this id: its length is right and it holds the request's mark.
    func isRight(_ frame: Span<UInt8>, id: Int) -> Bool {
        let exchange = exchanges[id % exchanges.count]
        guard exchange.length.contains(frame.count) else { return false }
        return exchange.mark.isEmpty || frame.contains(exchange.mark)
    }

    private func appendDecimal(_ value: Int, to bytes: inout [UInt8]) {
        let start = bytes.count
        var rest = UInt(value)
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }
}
