import CPlatform
import JSON
import TestSupport
import Testing

@testable import Daemon

@Suite struct ManyConnectionsTests {
    @Test func `two thousand connections are served`() async throws {
        // Both ends are in this process.
        #expect(platform_raise_descriptor_limit() >= 6000, "raise the hard limit: ulimit -Hn 6000")
        try await withDaemon { daemon in
            let clients = try (1...2000).map { _ in try daemon.connect() }
            let ids = try clients.map { try $0.ask("server/ping") }
            for (client, id) in zip(clients, ids) { #expect(try client.answer(to: id)["result"] != nil) }
            #expect(try daemon.stats(clients[0])["connections"]?["open"] == 2001)
            try daemon.bystander.check()
        }
    }

    @Test func `one user has its limit of busy connections, and a new one is admitted once one has left`() async throws
    {
        try await withDaemon {
            $0.limits = ConnectionLimits(totalMax: 100, perUserMax: 4)
            $0.checksBystander = false
        } _: { daemon in
            await daemon.fault("hang")
            // With the bystander's, which is idle and gives up its own.
            var clients = try (1...4).map { _ in try daemon.connect() }
            for client in clients { try client.ask("search", #"{"query":"고양이"}"#) }
            for client in clients { #expect(try client.call("server/ping")["result"] != nil) }
            for _ in 1...3 {
                let refused = try daemon.connect()
                let answer = try refused.message()
                #expect(answer.errorKind == "overloaded")
                #expect(answer.errorCode == -32008)
                #expect(answer["error"]?["data"]?["retryAfter"]?.int != nil)
                #expect(answer["error"]?["message"]?.string?.contains("this user") == true)
                try refused.end()
            }
            clients.removeLast()
            let connections = try daemon.stats(clients[0])["connections"]
            #expect(connections?["refused"] == 3)
            #expect(connections?["replaced"] == 1)
            try await eventually("one has left") { try daemon.stats(clients[0])["connections"]?["open"] == 3 }
            #expect(try daemon.connect().call("server/ping")["result"] != nil)
        }
    }

    @Test func `the daemon has its limit of connections`() async throws {
        try await withDaemon {
            $0.limits = ConnectionLimits(totalMax: 2, perUserMax: 100)
            $0.checksBystander = false
        } _: { daemon in
            await daemon.fault("hang")
            let clients = try (1...2).map { _ in try daemon.connect() }
            for client in clients { try client.ask("search", #"{"query":"고양이"}"#) }
            for client in clients { #expect(try client.call("server/ping")["result"] != nil) }
            let refused = try daemon.connect()
            let answer = try refused.message()
            #expect(answer.errorKind == "overloaded")
            #expect(answer["error"]?["message"]?.string?.contains("the daemon") == true)
            try refused.end()
            #expect(try clients[0].call("server/ping")["result"] != nil)
        }
    }

    @Test(arguments: [
        ConnectionLimits(totalMax: 100, perUserMax: 4), ConnectionLimits(totalMax: 4, perUserMax: 100),
    ])
    func `beyond the limit the connection that has been idle longest ends, and no busy one`(
        _ limits: ConnectionLimits
    ) async throws {
        try await withDaemon {
            $0.limits = limits
            $0.checksBystander = false
        } _: { daemon in
            await daemon.fault("hang")
            let busy = try daemon.connect()
            let search = try busy.ask("search", #"{"query":"고양이"}"#)
            #expect(try busy.call("server/ping")["result"] != nil)
            let first = try daemon.connect()
            let second = try daemon.connect()
            for client in [second, first] { #expect(try client.call("server/ping")["result"] != nil) }
            // The bystander, which was served first.
            let third = try daemon.connect()
            #expect(try third.call("server/ping")["result"] != nil)
            #expect(throws: TestFailure.self) { try daemon.bystander.check() }
            // Not the one that came first, but the one that was served first.
            let fourth = try daemon.connect()
            #expect(try fourth.call("server/ping")["result"] != nil)
            try second.end()
            #expect(try first.call("server/ping")["result"] != nil)
            for _ in 1...20 { #expect(try daemon.connect().call("server/ping")["result"] != nil) }
            try busy.notify("$/cancelRequest", "{\"id\":\(search)}")
            #expect(try busy.answer(to: search).errorKind == "cancelled")
            let connections = try daemon.stats(busy)["connections"]
            #expect(connections?["refused"] == 0)
            #expect(try #require(connections?["open"]?.int) <= 4)
        }
    }

    @Test func `a thousand identical cold searches are one call, and all are answered`() async throws {
        try await withDaemon { daemon in
            await daemon.delay(200)
            let clients = try (1...10).map { _ in try daemon.connect() }
            for client in clients {
                let lines = (1...100).map { TestClient.request("\($0)", "search", #"{"query":"고양이"}"#) }
                try client.send(lines.joined())
            }
            var uses: [String: Int] = [:]
            var seen: Set<[String]> = []
            for client in clients {
                var answered: Set<Int> = []
                for _ in 1...100 {
                    let answer = try client.message()
                    seen.insert(answer.hitIDs)
                    answered.insert(try #require(answer["id"]?.int))
                    uses[answer.source("kakao.blog")?["cache"]?.string ?? "none", default: 0] += 1
                }
                #expect(answered == Set(1...100))
            }
            #expect(seen.count == 1)
            #expect(seen.first?.count == 10)
            #expect(uses["miss"] == 1)
            #expect(await daemon.requests() == 1)
        }
    }

    @Test func `a connection may have so many requests in flight and no more`() async throws {
        try await withDaemon { daemon in
            await daemon.hang()
            let client = try daemon.connect()
            let params = #"{"query":"고양이"}"#
            let count = SessionRequests.countMax
            try client.send((1...count).map { TestClient.request("\($0)", "search", params) }.joined())
            let refused = try client.call("search", params.replacing("고양이", with: "커피"))
            #expect(refused["id"]?.int == 1)
            #expect(refused.errorKind == "duplicateId")
            try client.send(TestClient.request("\"over\"", "search", params))
            let over = try client.answer(to: "over")
            #expect(over.errorKind == "overloaded")
            #expect(over.errorCode == -32008)
            #expect(over["error"]?["data"]?["retryAfter"]?.int != nil)
            #expect(try daemon.stats(daemon.connect())["connections"]?["inFlight"]?.int == count)
            try client.notify("$/cancelRequest", #"{"id":2}"#)
            #expect(try client.answer(to: 2).errorKind == "cancelled")
            try client.send(TestClient.request("\"again\"", "search", params))
            try client.notify("$/cancelRequest", #"{"id":"again"}"#)
            #expect(try client.answer(to: "again").errorKind == "cancelled")
        }
    }
}
