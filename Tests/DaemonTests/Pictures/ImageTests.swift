import HTTP
import JSON
import Sandbox
import TestSupport
import Testing

@testable import Daemon

@Suite struct ImageTests {
    static let source = "sandbox.picture"
    private static let bytesMax = 2 << 20

    /// The timeout is long, because other tests can delay the threads that decode pages.
    private static func search(_ more: String = "") -> String {
        #"{"query":"고양이","sources":["kakao.image"],"limit":10,"timeout":60000"# + more + "}"
    }

    private static func thumbnails(_ client: TestClient, _ more: String = "") throws -> [String] {
        let answer = try client.call("search", search(more))
        let urls = (answer["result"]?["hits"]?.array ?? []).compactMap { $0["thumbnail"]?.string }
        guard urls.count == 10 else { throw TestFailure("expected ten hits with pictures: \(answer)") }
        return urls
    }

    private static func params(_ url: String) -> String {
        String(decoding: (["url": .string(url)] as JSONValue).bytes, as: UTF8.self)
    }

    private static func get(_ url: String, _ client: TestClient) throws -> JSONValue {
        try client.call("image/get", params(url))
    }

    private static func fault(
        _ name: String,
        _ daemon: DaemonFixture,
        times: Int? = nil,
        _ change: (inout FaultRule) -> Void = { _ in }
    ) async {
        var rule = FaultRule(source: source, name: name, times: times)
        change(&rule)
        await daemon.sandbox.change { [rule] in $0.faults = [rule] }
    }

    @Test func `the thumbnail and the image of a hit are fetched once, unchanged`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            let hit = try #require(try client.call("search", Self.search())["result"]?["hits"]?[0])
            for url in [hit["thumbnail"]?.string, hit["extra"]?["image"]?.string] {
                let url = try #require(url)
                let first = try #require(try Self.get(url, client)["result"])
                #expect(first["type"] == "image/png" && first["cache"] == "miss")
                #expect(first["data"]?.string?.hasPrefix("iVBORw0KGgo") == true)
                let (text, bytes) = (first["data"]?.string?.utf8.count ?? 0, first["bytes"]?.int ?? 0)
                #expect(bytes > 100 && text == (bytes + 2) / 3 * 4)
                let second = try #require(try Self.get(url, daemon.connect())["result"])
                #expect(
                    second["cache"] == "hit" && second["data"] == first["data"] && second["bytes"] == first["bytes"]
                )
            }
            #expect(await daemon.requests(to: Self.source) == 2)
        }
    }

    @Test func `URLs that are invalid, lack https or have a private address are forbidden`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            let others = [
                "http://1.1.1.1/a.png", "https://127.0.0.1/a.png", "https://[::ffff:127.0.0.1]/", "file:///etc/passwd",
                "data:image/png;base64,iVBORw0KGgo=", "https://1.1.1.1:70000/", "고양이", "https://2130706433/",
                "https://0x7f000001/", "https://user@127.0.0.1/", "https://127.0.0.1\\@1.1.1.1/",
            ]
            for other in others {
                let answer = try Self.get(other, client)
                #expect(answer.errorKind == "forbidden" && answer.errorCode == -32011, "\(other)")
                #expect(answer.hint != nil)
            }
            #expect(await daemon.requests(to: Self.source) == 0)
        }
    }

    @Test func `a picture of 2 MiB is fetched, and one byte more is a bad response`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            let urls = try Self.thumbnails(client)
            await Self.fault("padded", daemon) { $0.bytes = Self.bytesMax }
            #expect(try Self.get(urls[0], client)["result"]?["bytes"] == .number(JSONNumber(Self.bytesMax)))
            #expect(try Self.get(urls[0], client)["result"]?["cache"] == "hit")
            await Self.fault("padded", daemon) { $0.bytes = Self.bytesMax + 1 }
            let refused = try Self.get(urls[1], client)
            #expect(refused.errorKind == "badResponse" && refused.hint?.contains("2 MiB") == true)
            await daemon.endFaults()
            #expect(try Self.get(urls[1], client)["result"]?["cache"] == "miss")
        }
    }

    @Test(arguments: ["html", "emptyBody", "status", "hugeBody", "redirectLoop", "longLength", "malformedJSON"])
    func `if a file does not begin like a picture, the error is badResponse`(fault: String) async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            let url = try Self.thumbnails(client)[0]
            await Self.fault(fault, daemon) { if fault == "hugeBody" { $0.bytes = 1000 } }
            let answer = try Self.get(url, client)
            if fault == "malformedJSON" {
                // The beginning of the file is valid, and the daemon does not decode pictures.
                #expect(answer["result"]?["type"] == "image/png")
            } else {
                #expect(answer.errorKind == "badResponse", "\(answer)")
                #expect(answer.hint != nil)
            }
        }
    }

    @Test func `a redirect may lead to the source's address, but not to other private addresses`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            let urls = try Self.thumbnails(client)
            let base = daemon.sandbox.base
            await Self.fault("redirect", daemon, times: 1) { $0.location = "\(base)/_sandbox/image/abc-10x10.png" }
            #expect(try Self.get(urls[0], client)["result"]?["type"] == "image/png")
            let port = base.split(separator: ":").last ?? ""
            for location in ["http://127.0.0.1:1/a.png", "http://localhost:\(port)/a.png", "https://10.0.0.1/"] {
                await Self.fault("redirect", daemon) { $0.location = location }
                let answer = try Self.get(urls[1], client)
                #expect(answer.errorKind == "forbidden", "\(location): \(answer)")
            }
            await Self.fault("redirect", daemon) { $0.location = "file:///etc/passwd" }
            #expect(try Self.get(urls[1], client).errorKind == "badResponse")
        }
    }
}
