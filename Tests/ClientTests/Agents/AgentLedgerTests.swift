import RPC
import Testing

@testable import Client

@Suite struct AgentLedgerTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func pending(_ ledger: AgentLedger) -> Set<String> {
        Set(ledger.pending.map { String(decoding: $0.text, as: UTF8.self) })
    }

    @Test func `what is asked is owed until it is answered or cancelled`() {
        var ledger = AgentLedger()
        for id in ["1", "\"a\"", "\"\\u0062\"", "4"] {
            ledger.sent(bytes(#"{"id":\#(id),"method":"tools/call","jsonrpc":"2.0"}"#))
        }
        ledger.sent(bytes(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#))
        ledger.sent(bytes("nonsense"))
        #expect(pending(ledger) == ["1", "\"a\"", "\"\\u0062\"", "4"])
        for line in [
            #"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            #"{"jsonrpc":"2.0","method":"notifications/progress","params":{}}"#,
            #"{"result":{},"id":"b","jsonrpc":"2.0"}"#, #"{"jsonrpc":"2.0","id":null,"error":{}}"#,
        ] {
            let isForAgent = ledger.received(bytes(line))
            #expect(isForAgent, "\(line)")
        }
        ledger.sent(bytes(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}}"#))
        #expect(pending(ledger) == ["\"a\""])
        let answer = String(decoding: ledger.refusePending(with: AgentLedger.lost), as: UTF8.self)
        #expect(answer.hasPrefix(#"{"jsonrpc":"2.0","id":"a","error":{"code":-32603,"#) && answer.hasSuffix("}\n"))
        #expect(ledger.pending.isEmpty)
    }

    @Test func `a session is begun anew with another daemon, and the agent does not see its answer twice`() {
        var ledger = AgentLedger()
        let initialize = bytes(#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}"#)
        let before = ledger.rejoined()
        ledger.sent(initialize)
        // It has not been answered yet: then the agent asks again, not we.
        let unanswered = ledger.rejoined()
        #expect(before == nil && unanswered == nil)
        let answer = bytes(#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25"}}"#)
        let first = ledger.received(answer)
        let repeated = ledger.rejoined()
        #expect(first && repeated == initialize)
        ledger.sent(bytes(#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#))
        let second = ledger.received(answer)
        let other = ledger.received(bytes(#"{"jsonrpc":"2.0","id":1,"result":{}}"#))
        #expect(!second && other && ledger.pending.isEmpty)
    }

    @Test func `as many requests are remembered as the limit, and further ones pass`() {
        var ledger = AgentLedger()
        for id in 0...AgentLedger.pendingMax { ledger.sent(bytes(#"{"jsonrpc":"2.0","id":\#(id),"method":"ping"}"#)) }
        #expect(ledger.pending.count == AgentLedger.pendingMax)
        let isForAgent = ledger.received(bytes(#"{"jsonrpc":"2.0","id":\#(AgentLedger.pendingMax),"result":{}}"#))
        #expect(isForAgent)
    }
}
