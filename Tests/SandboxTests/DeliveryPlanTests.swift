import HTTP
import Testing

@testable import Sandbox

@Suite struct DeliveryPlanTests {
    let response = HTTPResponse.of(200, "text/plain", Array("0123456789".utf8))

    func plan(_ delivery: SandboxDelivery, isHead: Bool = false, keepsAlive: Bool = true) -> [DeliveryPlan.Step] {
        DeliveryPlan(SandboxAnswer(response, delivery: delivery), isHead: isHead, keepsAlive: keepsAlive).steps
    }

    func bytes(_ text: String, length: Int = 10, keepsAlive: Bool = true) -> DeliveryPlan.Step {
        let connection = keepsAlive ? "keep-alive" : "close"
        return .send(
            Array(
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: \(length)\r\nConnection: \(connection)\r\n\r\n\(text)"
                    .utf8
            )
        )
    }

    @Test func `a whole answer is sent at once and the connection kept or closed`() {
        #expect(plan(SandboxDelivery()) == [bytes("0123456789")])
        #expect(plan(SandboxDelivery(), keepsAlive: false) == [bytes("0123456789", keepsAlive: false), .close])
        #expect(plan(SandboxDelivery(), isHead: true) == [bytes("")])
        #expect(plan(SandboxDelivery(delay: .seconds(2))) == [.wait(.seconds(2)), bytes("0123456789")])
    }

    @Test func `faults stop, cut, lie and drip`() {
        #expect(plan(SandboxDelivery(manner: .hang)) == [.hang])
        #expect(plan(SandboxDelivery(manner: .refuse)) == [.close])
        #expect(plan(SandboxDelivery(manner: .stall(after: 4))) == [bytes("0123"), .hang])
        #expect(plan(SandboxDelivery(manner: .cut(after: 4))) == [bytes("0123"), .close])
        let lie = bytes("0123456789", length: 12, keepsAlive: false)
        #expect(plan(SandboxDelivery(manner: .claim(length: 12))) == [lie, .close])
        let pause = DeliveryPlan.Step.wait(.milliseconds(5))
        let drip = plan(SandboxDelivery(manner: .drip(bytes: 4, pause: .milliseconds(5))))
        #expect(
            drip == [
                bytes(""), pause, .send(Array("0123".utf8)), pause, .send(Array("4567".utf8)), pause,
                .send(Array("89".utf8)),
            ]
        )
    }
}
