import JSON
import RPC
import Testing

@testable import Daemon

struct ClientsTests {
    private func entry(_ program: String, in stats: JSONValue) throws -> JSONValue {
        let clients = try #require(stats["clients"]?.array)
        return try #require(clients.first { $0["program"]?.string == program }, "\(clients)")
    }

    @Test func `a client is listed with its number of requests, but without its queries`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            _ = try client.call("server/hello", #"{"client":"launcher"}"#)
            let held = #"{"query":"secretive","stream":true,"channel":"typing","debounce":10000}"#
            try client.ask("search", held)
            // The daemon reads this request after the search, because both use one connection.
            let stats = try daemon.stats(client)
            let launcher = try entry("launcher", in: stats)
            #expect(launcher["connections"] == 1)
            #expect(launcher["requests"] == 1)
            #expect(launcher["streams"] == 1)
            #expect(launcher["channels"] == 1)
            #expect(launcher["pid"] != nil && launcher["uid"] != nil)
            let doing = try #require(launcher["doing"]?.array)
            #expect(doing.count == 1)
            #expect(doing.first?["method"] == "search")
            #expect(doing.first?["count"] == 1)
            #expect(!String(decoding: stats.bytes, as: UTF8.self).contains("secretive"))
        }
    }

    @Test func `the list of clients has a maximum length, and the busiest clients are first`() async throws {
        try await withDaemon { daemon in
            var clients: [TestClient] = []
            for number in 0..<WireBounds.clientsMax + 5 {
                let client = try daemon.connect()
                _ = try client.call("server/hello", "{\"client\":\"c\(number)\"}")
                clients.append(client)
            }
            let last = try #require(clients.last)
            try last.ask("search", #"{"query":"q","channel":"a","debounce":10000}"#)
            let stats = try daemon.stats(last)
            #expect(stats["clients"]?.array?.count == WireBounds.clientsMax)
            // The fixture has one more client, `daemon.bystander`.
            #expect(stats["connections"]?["clients"]?.int == clients.count + 1)
            #expect(stats["clients"]?.array?.first?["program"]?.string == "c\(clients.count - 1)")
        }
    }

    @Test func `failed calls are listed by source and error kind, with count and time`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            #expect(try daemon.stats(client)["errors"]?.array?.isEmpty == true)
            await daemon.fault("maintenance")
            _ = try client.call("search", #"{"query":"secretive"}"#)
            let stats = try daemon.stats(client)
            let errors = try #require(stats["errors"]?.array)
            #expect(errors.count == 1)
            #expect(errors.first?["source"] == "kakao.blog")
            #expect(errors.first?["kind"] == "unavailable")
            #expect(try #require(errors.first?["count"]?.int) >= 1)
            #expect(errors.first?["last"]?.string?.hasSuffix("Z") == true)
            #expect(!String(decoding: stats.bytes, as: UTF8.self).contains("secretive"))
        }
    }
}
