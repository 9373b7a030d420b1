import EventLoop
import SearchModel
import Testing

@testable import Fleet

struct FleetProtocolTests {
    @Test func `commands are encoded and replies decoded in the protocol of Redis`() throws {
        #expect(RedisCommand("SET", "a", "").encoded == Array("*3\r\n$3\r\nSET\r\n$1\r\na\r\n$0\r\n\r\n".utf8))
        let reader = ReplyReader()
        var bytes = Array("*3\r\n:7\r\n$3\r\na\0b\r\n*2\r\n$-1\r\n-ERR no\r\n+OK\r\n".utf8)
        var replies: [Reply] = []
        while !bytes.isEmpty {
            // Only this function uses the array.
            unsafe Array(bytes.prefix(5)).withUnsafeBytes { unsafe reader.add($0) }
            bytes.removeFirst(min(5, bytes.count))
            while let reply = try reader.next() { replies.append(reply) }
        }
        #expect(
            replies == [
                .list([.integer(7), .bytes([97, 0, 98]), .list([.null, .error("ERR no")])]), .bytes(Array("OK".utf8)),
            ]
        )
        unsafe Array("HTTP/1.1 400\r\n".utf8).withUnsafeBytes { unsafe reader.add($0) }
        #expect(throws: SharedServerError.self) { try reader.next() }
    }

    @Test func `the hash slot of a key depends only on the part in braces`() {
        #expect(KeySlot.slot(of: "123456789") == 12_739)
        #expect(KeySlot.slot(of: "searchd:{123456789}:hosts") == 12_739)
        #expect(KeySlot.slot(of: "{}") != KeySlot.slot(of: ""))
    }

    @Test func `an old server, a replica, and a server that is neither Valkey nor Redis are refused`() {
        let handshake = Handshake(settings: FleetSettings(address: .path("/s")))
        func trouble(_ server: String, _ role: String) -> String? {
            let info = [server, "role:\(role)\r\n"].map { Reply.bytes(Array($0.utf8)) }
            let scripts = Script.allCases.map { _ in Reply.bytes([1]) }
            guard case .failure(let trouble) = handshake.facts(info + scripts) else { return nil }
            return trouble.message
        }
        #expect(trouble("redis_version:6.2.0\r\nrun_id:1\r\n", "master") == nil)
        #expect(trouble("redis_version:7.2.4\r\nvalkey_version:8.0.1\r\nrun_id:1\r\n", "master") == nil)
        #expect(trouble("redis_version:6.0.16\r\nrun_id:1\r\n", "master") == "Redis 6.0.16 is too old")
        #expect(trouble("redis_version:7.0.0\r\nrun_id:1\r\n", "slave") == "the shared server is a read-only replica")
        #expect(trouble("hello", "master") == "the server is neither Valkey nor Redis")
    }

    @Test func `notices of other hosts are decoded, and the host's own notices are ignored`() {
        func notice(_ text: String) -> Notice? { Notice(Array(text.utf8), from: "me") }
        #expect(notice("lost searchd:{x}") == .lost("searchd:{x}"))
        #expect(notice("breaker x a.one 1000 me") == nil)
        #expect(notice("breaker x a.one 1000 you") == .breaker(account: "x", source: "a.one", wait: .milliseconds(1)))
        #expect(
            notice("pause x a 5 you rateLimit -")
                == .pause(account: "x", owner: "a", wait: .microseconds(5), reason: "rateLimit", resetsAt: nil)
        )
        #expect(
            notice("outcome p page 9\na\nb")
                == .outcome(page: "p", kind: "page", left: .milliseconds(9), Array("a\nb".utf8))
        )
        #expect(notice("nonsense") == nil)
    }
}
