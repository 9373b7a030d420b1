import EventLoop
import JSON
import TestSupport
import Testing

@testable import Daemon

@Suite struct WebPageTests {
    private final class Site: Sendable {
        private let server: RawServer
        private let asked: Locked<[String]>
        var base: String { server.url("") }
        var port: String { String(server.port) }
        var targets: [String] { asked.withLock { $0 } }

        init() throws {
            let asked = Locked<[String]>([])
            self.asked = asked
            server = try RawServer { connection in
                while case let head = connection.readHead(), !head.isEmpty {
                    let target = head.split(separator: " ").dropFirst().first.map(String.init) ?? ""
                    asked.withLock { $0.append(target) }
                    Self.answer(target, connection)
                }
            }
        }

        private static func answer(_ target: String, _ connection: RawConnection) {
            let html = "Content-Type: text/html; charset=EUC-KR\r\n"
            let location = target.split(separator: "=", maxSplits: 1).last.map(String.init) ?? ""
            switch target.prefix(while: { $0 != "?" }) {
            case "/robots.txt":
                connection.answer("User-agent: *\nDisallow: /closed", fields: "Content-Type: text/plain\r\n")
            case "/to": connection.answer("", status: "302 Found", fields: "Location: \(location)\r\n")
            case "/picture": connection.answer("x", fields: "Content-Type: image/png\r\n")
            case "/missing": connection.answer("no", status: "404 Not Found", fields: html)
            case "/large":
                let body = String(repeating: "x", count: 4 << 20) + (target.hasSuffix("more") ? "x" : "")
                connection.answer(body, fields: html)
            default: connection.answer("<p>text of \(target)", fields: html)
            }
        }
    }

    private static func withSite(_ body: (DaemonFixture, Site, TestClient) async throws -> Void) async throws {
        let site = try Site()
        try await withDaemon {
            $0.members = "pages: { allowedHosts: [\"127.0.0.1:\(site.port)\", \"localhost:\(site.port)\"] },"
        } _: { daemon in
            try await body(daemon, site, daemon.connect())
        }
    }

    private static func params(_ url: String, _ more: String = "") -> String {
        #"{"url":"\#(url)","timeout":60000\#(more)}"#
    }

    /// Advances the clock, so the next request need not wait.
    private static func get(
        _ url: String,
        _ client: TestClient,
        _ daemon: DaemonFixture,
        _ more: String = ""
    ) throws -> JSONValue {
        daemon.advance(by: .seconds(1))
        return try client.call("page/get", params(url, more))
    }

    @Test func `a page is fetched once, unchanged, with its type and character set`() async throws {
        try await Self.withSite { daemon, site, client in
            let first = try #require(try Self.get(site.base + "/a", client, daemon)["result"])
            #expect(first["type"] == "text/html" && first["charset"] == "euc-kr" && first["cache"] == "miss")
            #expect(first["data"]?.string.flatMap { Base64.bytes(of: $0) } == Array("<p>text of /a".utf8))
            #expect(first["bytes"]?.int == 13 && first["url"]?.string == site.base + "/a")
            let second = try #require(try Self.get(site.base + "/a#part", daemon.connect(), daemon)["result"])
            #expect(second["cache"] == "hit" && second["data"] == first["data"])
            #expect((second["age"]?.number?.double ?? 0) >= 1)
            #expect(try Self.get(site.base + "/a", client, daemon, #","maxAge":0"#)["result"]?["cache"] == "miss")
            #expect(try Self.get(site.base + "/a", client, daemon, #","maxAge":1"#)["result"]?["cache"] == "miss")
            #expect(site.targets == ["/a", "/a", "/a"])
        }
    }

    @Test func `a private request leaves nothing in the cache`() async throws {
        try await Self.withSite { daemon, site, client in
            _ = try Self.get(site.base + "/a", client, daemon, #","private":true"#)
            #expect(try Self.get(site.base + "/a", client, daemon)["result"]?["cache"] == "miss")
        }
    }

    @Test func `addresses that are not public are forbidden, and no request is sent`() async throws {
        try await Self.withSite { daemon, site, client in
            let others = [
                "http://localhost:1/", "http://127.0.0.1:1/", "http://[::1]/", "http://10.0.0.1/",
                "http://[::ffff:127.0.0.1]:\(site.port)/", "https://2130706433/", "http://169.254.169.254/",
                "file:///etc/passwd", "data:text/html,x", "고양이", "ftp://127.0.0.1/", "http://u@127.0.0.1:\(site.port)/",
            ]
            for other in others {
                let answer = try Self.get(other, client, daemon)
                #expect(answer.errorKind == "forbidden" && answer.hint != nil, "\(other): \(answer)")
            }
            #expect(site.targets == [])
        }
    }

    @Test func `every address in a chain of redirects is checked`() async throws {
        try await Self.withSite { daemon, site, client in
            let inner = "http://localhost:\(site.port)/b?c"
            #expect(try Self.get("\(site.base)/to?=\(inner)", client, daemon)["result"]?["url"]?.string == inner)
            for target in ["http://localhost:1/", "http://[::1]:\(site.port)/", "https://10.0.0.1/", "file:///x"] {
                let answer = try Self.get("\(site.base)/to?=\(target)", client, daemon)
                #expect(answer.errorKind == "forbidden", "\(target): \(answer)")
            }
        }
    }

    @Test func `a picture, a missing page and a page over 4 MiB are errors`() async throws {
        try await Self.withSite { daemon, site, client in
            for path in ["/picture", "/missing", "/large?more"] {
                let answer = try Self.get(site.base + path, client, daemon)
                #expect(answer.errorKind == "badResponse" && answer.hint != nil, "\(path)")
            }
            #expect(try Self.get(site.base + "/large", client, daemon)["result"]?["bytes"]?.int == 4 << 20)
        }
    }

    @Test func `for an agent, the daemon obeys the site's robots.txt`() async throws {
        try await Self.withSite { daemon, site, client in
            let agent = #","agent":true"#
            let byPerson = try Self.get(site.base + "/closed/a", client, daemon)
            let byAgent = try Self.get(site.base + "/closed/a", client, daemon, agent)
            let open = try Self.get(site.base + "/open", client, daemon, agent)
            #expect(byPerson["result"] != nil && byAgent.errorKind == "forbidden" && open["result"] != nil)
            #expect(site.targets == ["/closed/a", "/robots.txt", "/open"])
        }
    }

    @Test func `identical requests share one fetch`() async throws {
        try await Self.withSite { daemon, site, client in
            daemon.advance(by: .seconds(1))
            // A host gets one request per second, so the three requests for /y wait and share one fetch.
            let first = try client.ask("page/get", Self.params(site.base + "/x"))
            let ids = try (0..<3).map { _ in try client.ask("page/get", Self.params(site.base + "/y")) }
            _ = try client.answer(to: first)
            daemon.advance(by: .seconds(1))
            let uses = try ids.map { try client.answer(to: $0)["result"]?["cache"]?.string }
            #expect(uses == ["miss", "joined", "joined"])
            #expect(site.targets == ["/x", "/y"])
        }
    }
}
