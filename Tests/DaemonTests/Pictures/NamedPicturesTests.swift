import Catalogue
import Engine
import EventLoop
import JSON
import SearchModel
import Testing
import Upstream

/// Pictures whose addresses a source chooses with bad intent.
@Suite struct NamedPicturesTests {
    /// Answers every page with one hit for each address.
    private struct Recordings: PageFetcher {
        let addresses: [String]

        func fetch(
            _ key: PageKey,
            for demand: CallDemand,
            report: @escaping CallReport
        ) async throws(SearchError) -> Page {
            report(.sent)
            guard let kind = Kind("image") else { return Page(isEnd: true) }
            let hits = addresses.enumerated().map { index, address in
                Hit(
                    id: "\(key.source):\(index)",
                    source: key.source,
                    kind: kind,
                    title: "\(index)",
                    thumbnail: address,
                    rank: index + 1
                )
            }
            return Page(hits: hits, isEnd: true)
        }
    }

    private static let addresses = [
        "https://127.0.0.1/a.png", "https://127.0.0.1:1/a.png", "https://localhost/a.png", "https://10.0.0.1/a.png",
        "https://192.168.0.1/", "https://172.16.0.1/", "https://100.64.0.1/", "https://169.254.169.254/latest/",
        "https://224.0.0.1/", "https://0.0.0.0/", "https://[::1]/", "https://[::ffff:127.0.0.1]/", "https://[fe80::1]/",
        "https://[fd00:ec2::254]/", "https://[64:ff9b::7f00:1]/", "https://2130706433/", "https://0x7f000001/",
        "https://127.1/", "https://user@127.0.0.1/", "https://127.0.0.1\\@1.1.1.1/", "HTTPS://127.0.0.1/",
        "http://127.0.0.1:1/a.png", "http://1.1.1.1/a.png", "file:///etc/passwd", "ftp://1.1.1.1/", "gopher://1.1.1.1/",
        "data:image/png;base64,iVBORw0KGgo=", "//1.1.1.1/a.png", "https:///", "https://", "javascript:alert(1)",
        "https://1.1.1.1:0/", "https://1.1.1.1:70000/",
    ]

    @Test func `each leads nowhere on this machine or in its networks`() async throws {
        try await withDaemon({ $0.fetcher = Recordings(addresses: Self.addresses) }) { daemon in
            let client = try daemon.connect()
            let answer = try client.call("search", #"{"query":"고양이","sources":["kakao.image"],"limit":100}"#)
            #expect(answer.hitIDs.count == Self.addresses.count)
            for address in Self.addresses {
                let params: JSONValue = ["url": .string(address)]
                let refused = try client.call("image/get", String(decoding: params.bytes, as: UTF8.self))
                #expect(refused.errorKind == "forbidden", "\(address): \(refused)")
            }
        }
    }
}
