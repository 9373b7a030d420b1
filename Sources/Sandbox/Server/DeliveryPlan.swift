import HTTP

/// How one answer goes onto a connection, step by step.
struct DeliveryPlan: Equatable, Sendable {
    enum Step: Equatable, Sendable {
        case wait(Duration)
        case send([UInt8])
        case close
        /// Nothing more happens on this connection until the client leaves.
        case hang
    }

    private(set) var steps: [Step] = []

    /// - Parameters:
    ///   - answer: What to bring across.
    ///   - isHead: The request was a HEAD: the body is left out and its length told.
    ///   - keepsAlive: The client wants the connection kept.
    init(_ answer: SandboxAnswer, isHead: Bool, keepsAlive: Bool) {
        let response = answer.response
        let body = isHead ? [] : response.body
        func head(_ length: Int, _ keepsAlive: Bool) -> [UInt8] {
            ResponseHead.bytes(of: response, length: length, keepsAlive: keepsAlive)
        }
        if answer.delivery.delay > .zero { steps.append(.wait(answer.delivery.delay)) }
        switch answer.delivery.manner {
        case .whole:
            steps.append(.send(head(response.body.count, keepsAlive) + body))
            if !keepsAlive { steps.append(.close) }
        case .hang:
            steps.append(.hang)
        case .refuse:
            steps.append(.close)
        case .stall(let count):
            steps += [.send(head(response.body.count, keepsAlive) + body.prefix(count)), .hang]
        case .cut(let count):
            steps += [.send(head(response.body.count, keepsAlive) + body.prefix(count)), .close]
        case .claim(let length):
            steps += [.send(head(length, false) + body), .close]
        case .drip(let size, let pause):
            steps.append(.send(head(response.body.count, keepsAlive)))
            for start in stride(from: 0, to: body.count, by: max(1, size)) {
                steps += [.wait(pause), .send(Array(body[start..<min(start + max(1, size), body.count)]))]
            }
            if !keepsAlive { steps.append(.close) }
        }
    }
}
