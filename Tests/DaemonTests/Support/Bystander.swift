import JSON
import Testing

/// A client with its own connection to the daemon of a test, which the test must not affect.
final class Bystander {
    private static let search = #"{"query":"bystander","sources":["kakao.web"],"history":false}"#

    private let client: TestClient
    private let ids: [String]

    init(_ client: TestClient) throws {
        self.client = client
        ids = try client.call("search", Self.search).hitIDs
        try #require(!ids.isEmpty)
    }

    /// Checks that the client is still served: it gets a pong, and the hits of an earlier search.
    func check(_ location: SourceLocation = #_sourceLocation) throws {
        let pong = try client.call("server/ping")
        #expect(pong["result"]?["uptime"]?.double != nil, sourceLocation: location)
        #expect(try client.call("search", Self.search).hitIDs == ids, sourceLocation: location)
    }
}
