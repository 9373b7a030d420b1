import CPlatform
import JSON
import TestSupport
import Testing

@testable import Daemon

@Suite struct ManyConnectionsTests {
    @Test func `a thousand connections are served`() async throws {
        // The process has both ends of each connection.
        #expect(platform_raise_descriptor_limit() >= 4000, "raise the hard limit: ulimit -Hn 4000")
        try await withDaemon {
            $0.limits.connectionsPerUser = 1024
        } _: { daemon in
            let clients = try (1...1000).map { _ in try daemon.connect() }
            let ids = try clients.map { try $0.ask("server/ping") }
            for (client, id) in zip(clients, ids) { #expect(try client.answer(to: id)["result"] != nil) }
            #expect(try daemon.stats(clients[0])["connections"]?["open"] == 1001)
            try daemon.bystander.check()
        }
    }

    @Test func `if all of a user's connections are busy, a new connection is refused until one closes`() async throws {
        try await withDaemon {
            $0.limits.connectionsPerUser = 4
            $0.checksBystander = false
        } _: { daemon in
            await daemon.fault("hang")
            // The connection of `daemon.bystander` is idle, so the daemon closes it.
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
            try await eventually("a closed connection") { try daemon.stats(clients[0])["connections"]?["open"] == 3 }
            #expect(try daemon.connect().call("server/ping")["result"] != nil)
        }
    }

    @Test(arguments: [
        SessionLimits { $0.connectionsPerUser = 4 }, SessionLimits { $0.connections = 4 },
    ])
    func `above the limit, the connection that was idle for longest is closed, but never a busy connection`(
        _ limits: SessionLimits
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
            // The connection of `daemon.bystander` is closed, because it was idle for longest.
            let third = try daemon.connect()
            #expect(try third.call("server/ping")["result"] != nil)
            #expect(throws: TestFailure.self) { try daemon.bystander.check() }
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

    @Test func `a thousand identical uncached searches make one call, and all are answered`() async throws {
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

    @Test func `a connection with too many requests is not read, but other connections are read`() async throws {
        try await withDaemon { daemon in
            await daemon.hang()
            let client = try daemon.connect()
            let count = SessionLimits().requests
            let params = #"{"query":"고양이"}"#
            try client.send((1...count + 1).map { TestClient.request("\($0)", "search", params) }.joined())
            try client.send(TestClient.request("\"ping\"", "server/ping"))
            let other = try daemon.connect()
            try await eventually("the maximum of requests in flight") {
                try daemon.stats(other)["connections"]?["inFlight"]?.int == count
            }
            #expect(try other.call("server/ping")["result"] != nil)
            await daemon.endFaults()
            daemon.advance(by: .seconds(11))
            #expect(try client.answer(to: "ping")["result"] != nil)
        }
    }

    @Test func `all connections of a user share a limit of requests in flight`() async throws {
        try await withDaemon {
            $0.limits.requestsPerUser = 10
            $0.checksBystander = false
        } _: { daemon in
            await daemon.hang()
            let clients = try (1...3).map { _ in try daemon.connect() }
            for client in clients {
                try client.send((1...4).map { TestClient.request("\($0)", "search", #"{"query":"고양이"}"#) }.joined())
            }
            try await eventually("ten requests in flight") {
                await daemon.service.server.read { $0.usage.total.requests } == 10
            }
            await daemon.endFaults()
            daemon.advance(by: .seconds(11))
            for client in clients { for id in 1...4 { _ = try client.answer(to: id) } }
        }
    }
}
