import Catalogue
import Engine
import JSON
import RPC
import SearchModel
import Testing

@testable import Daemon

/// Checks that the daemon's messages match the document of `rpc.discover`.
struct ContractTests {
    @Test func `every method answers as described`() async throws {
        try await withDaemon { setup in
            setup.hasAllKeys = true
            setup.keepsPersonalData = true
        } _: { daemon in
            let client = try daemon.connect()
            _ = try client.call("search", #"{"query":"고양이","sources":["kakao.*","naver.*"],"raw":true,"explain":true}"#)
            await daemon.fault("maintenance")
            _ = try client.call("search", #"{"query":"개","sources":["kakao.*"],"explain":true}"#)
            _ = try client.call("search", #"{"query":"새","sources":["kakao.blog"],"explain":true}"#)
            _ = try client.call("search", #"{"query":"새","sources":["kakao.cafe"],"offline":true}"#)
            _ = try client.call("search/lookup", #"{"source":"google.books","key":"x","raw":true}"#)
            let asked = MethodTests.needingParameters.map(\.rawValue)
            for method in MethodDescription.all where !asked.contains(method.name) {
                #expect(try client.call(method.name)["result"] != nil, "\(method.name)")
            }
        }
    }

    @Test func `rpc.discover returns the document of all methods`() async throws {
        try await withDaemon { daemon in
            let document = try #require(try daemon.connect().call("rpc.discover")["result"])
            #expect(document == Discovery.document(version: Version.program, methods: MethodDescription.all))
        }
    }

    @Test func `ContractCheck reports undescribed, missing and invalid members`() throws {
        let hit: JSONValue = ["id": "a.b:1", "source": "a.b", "kind": "book", "title": "T", "rank": 1]
        func result(_ change: (inout [JSONMember]) -> Void) -> [String] {
            var members = hit.members ?? []
            change(&members)
            let params: JSONValue = ["request": 1, "source": "a.b", "hits": [.object(members)]]
            return ContractCheck.whole.problems(in: ["method": "search/hits", "params": params])
        }
        #expect(result { _ in } == [])
        #expect(result { $0.append(JSONMember("colour", "red")) } == ["search/hits.hits[0].colour is not described"])
        #expect(result { $0.removeLast() } == ["search/hits.hits[0].rank is missing"])
        #expect(result { $0[4] = JSONMember("rank", "1") } == ["search/hits.hits[0].rank is not of type integer"])
        #expect(result { $0[4] = JSONMember("rank", -1) } == ["search/hits.hits[0].rank is too small"])
        #expect(
            result { $0.append(JSONMember("publishedPrecision", "week")) }.first?.contains("publishedPrecision is")
                == true
        )
        let check = ContractCheck.whole
        #expect(check.problems(in: ["method": "search/nothing"]) == ["search/nothing is not described"])
        #expect(check.problems(in: ["result": ["uptime": 1, "age": 2]], to: "server/ping").count == 1)
        #expect(check.problems(in: ["error": ["code": -32601, "message": "m", "data": ["kind": "odd"]]]).count == 1)
    }

    @Test func `the contract has the same bounds as the daemon and the engine`() {
        let settling = WireBounds.settlingMilliseconds
        #expect(.milliseconds(settling.lowerBound) == TypingPace.waitMin)
        #expect(.milliseconds(settling.upperBound) == TypingPace.wordPause)
        #expect(WireBounds.channelBytes == 1...ChannelClaim.nameBytesMax)
        #expect(WireBounds.itemKeyBytesMax == ItemKey.bytesMax)
    }
}
