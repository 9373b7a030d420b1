import EventLoop
import Glibc
import HTTP
import JSON
import Sandbox
import TestSupport
import Testing

@testable import Daemon

@Suite struct ReloadTests {
    private static let query = #"{"query":"고양이"}"#

    private func reload(_ client: TestClient) throws -> JSONValue {
        try client.call("server/reload")
    }

    private func texts(_ value: JSONValue?) -> [String] { value?.array?.compactMap(\.string) ?? [] }

    @Test func `a reload without changes keeps the cache`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            _ = try client.call("search", Self.query)
            let result = try #require(try reload(client)["result"])
            #expect(texts(result["changed"]) == [])
            #expect(texts(result["needsRestart"]) == [])
            for kind in ["added", "removed", "changed"] { #expect(texts(result["sources"]?[kind]) == []) }
            #expect(try client.call("search", Self.query).source("kakao.blog")?["cache"]?.string == "hit")
        }
    }

    @Test func `a new key is used at once, and cached pages are kept`() async throws {
        let sink = RecordingSink()
        try await withDaemon {
            $0.logSink = sink
        } _: { daemon in
            let client = try daemon.connect()
            _ = try client.call("search", Self.query)
            let next = randomKey()
            await daemon.sandbox.change { $0.keys.kakao = [next] }
            #expect(try client.call("search", #"{"query":"커피"}"#).errorKind == "unauthorized")
            daemon.configure(key: next)
            #expect(texts(try reload(client)["result"]?["changed"]) == ["accounts.kakao"])
            #expect(try client.call("search", #"{"query":"커피"}"#).hitIDs.count == 10)
            #expect(try client.call("search", Self.query).source("kakao.blog")?["cache"]?.string == "hit")
            let old = daemon.key
            await daemon.sandbox.change { $0.keys.kakao = [next, old] }
            #expect(!sink.messages.contains { $0.contains(next) || $0.contains(old) })
        }
    }

    @Test func `if a wrong key is replaced by the previous key, the source is healthy again`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            func health() throws -> String? {
                let sources = try client.call("source/list")["result"]?["sources"]?.array
                return sources?.first { $0["source"] == "kakao.blog" }?["health"]?.string
            }
            daemon.configure(key: randomKey())
            _ = try reload(client)
            #expect(try client.call("search", #"{"query":"커피"}"#).errorKind == "unauthorized")
            #expect(try health() == "failing")
            daemon.configure(key: daemon.key)
            _ = try reload(client)
            #expect(try health() == "ok")
        }
    }

    @Test func `sources are enabled if their key is stored, and disabled if the key is removed`()
        async throws
    {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            func isOpen() throws -> Bool? {
                let sources = try client.call("source/list")["result"]?["sources"]?.array
                return sources?.first { $0["source"] == "google.books" }?["enabled"]?.bool
            }
            #expect(try isOpen() == false)
            for name in [".config", ".config/searchd", ".config/searchd/keys"] {
                daemon.directory.makeDirectory(name)
            }
            let path = daemon.directory.write("k3y5ecret", to: ".config/searchd/keys/google.key", mode: 0o600)
            #expect(texts(try reload(client)["result"]?["changed"]) == ["accounts.google"])
            #expect(try isOpen() == true)
            _ = unsafe chmod(path, 0o644)
            #expect(try reload(client).errorKind == "invalidParams")
            #expect(try isOpen() == true)
            _ = unsafe unlink(path)
            #expect(texts(try reload(client)["result"]?["changed"]) == ["accounts.google"])
            #expect(try isOpen() == false)
        }
    }

    @Test func `if a source's address changes, only the cached pages of that source are removed`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            let both = #"{"query":"고양이","sources":["kakao.blog","itunes.app"]}"#
            _ = try client.call("search", both)
            _ = try client.call("search", both)
            let base = daemon.sandbox.base
            daemon.configure(members: "sources: { \"kakao.blog\": { baseURL: \"\(base)/kakao/\" } },")
            let result = try #require(try reload(client)["result"])
            #expect(texts(result["sources"]?["changed"]) == ["kakao.blog"])
            #expect(texts(result["changed"]) == ["sources.kakao.blog"])
            let answer = try client.call("search", both)
            #expect(answer.source("kakao.blog")?["cache"]?.string == "miss")
            #expect(answer.source("itunes.app")?["cache"]?.string == "hit")
        }
    }

    @Test func `a search in flight finishes with the old sources, and a later search uses the new sources`()
        async throws
    {
        try await withDaemon { daemon in
            await daemon.delay(300)
            let client = try daemon.connect()
            let search = try client.ask("search", #"{"query":"고양이","limit":120,"timeout":60000}"#)
            try await daemon.waitForRequests(1)
            daemon.configure(members: "sources: { \"kakao.blog\": { enabled: false } },")
            let other = try daemon.connect()
            #expect(texts(try reload(other)["result"]?["sources"]?["changed"]) == ["kakao.blog"])
            #expect(try other.call("search", Self.query).errorKind == "notConfigured")
            #expect(try client.answer(to: search).hitIDs.count == 120)
        }
    }

    @Test func `a reload lists the changed settings that take effect only after a restart`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            daemon.configure(members: "socket: \"/run/elsewhere\", disk: { cacheBytes: \"1MiB\" },")
            #expect(texts(try reload(client)["result"]?["needsRestart"]) == ["socket", "disk.cacheBytes"])
        }
    }
}
