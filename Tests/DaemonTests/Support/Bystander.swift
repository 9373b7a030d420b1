import JSON
import Testing

/// Another client, which the test must not affect.
final class Bystander {
    private static let search = #"{"query":"bystander","sources":["kakao.web"],"history":false}"#

    private let client: TestClient
    private let ids: [String]

    init(_ client: TestClient) throws {
        self.client = client
        ids = try client.call("search", Self.search).hitIDs
        try #require(!ids.isEmpty)
    }

    func check(_ location: SourceLocation = #_sourceLocation) throws {
        let pong = try client.call("server/ping")
        #expect(pong["result"]?["uptime"]?.double != nil, sourceLocation: location)
        #expect(try client.call("search", Self.search).hitIDs == ids, sourceLocation: location)
    }
}
