import JSON
import RPC
import Testing

@Suite struct MethodTests {
    @Test(arguments: [("serch", "search"), ("server/pnig", "server/ping"), ("rpc.discovr", "rpc.discover")])
    func `an unknown method is refused with the nearest name`(wrong: String, right: String) async throws {
        try await withDaemon { daemon in
            let answer = try daemon.connect().call(wrong)
            #expect(answer.errorKind == "methodNotFound")
            #expect(answer.errorCode == -32601)
            #expect(answer.hint?.contains("“\(right)”") == true)
        }
    }

    static let needingParameters: [MethodName] = [
        .search, .lookup, .suggest, .image, .page, .librarySave, .libraryRemove, .libraryNote, .libraryTag, .libraryGet,
        .libraryUnwatch, .quotaSet,
    ]

    @Test func `every listed method answers, and refuses unknown parameters`() async throws {
        try await withDaemon {
            $0.keepsPersonalData = true
        } _: { daemon in
            let client = try daemon.connect()
            let document = try #require(try client.call("rpc.discover")["result"])
            #expect(document["openrpc"]?.string?.hasPrefix("1.") == true)
            let names = try #require(document["methods"]?.array).compactMap { $0["name"]?.string }
            #expect(
                names == [
                    "server/hello", "server/ping", "server/stats", "server/metrics", "server/reload", "search",
                    "search/lookup", "search/suggest", "image/get", "page/get", "history/list", "history/clear",
                    "library/save",
                    "library/remove", "library/note",
                    "library/tag", "library/list", "library/get", "library/watch", "library/unwatch", "library/refresh",
                    "library/backup",
                    "source/list", "quota/set", "cache/stats", "cache/clear", "rpc.discover",
                ]
            )
            for name in names where !Self.needingParameters.map(\.rawValue).contains(name) {
                #expect(try client.call(name)["result"] != nil, "\(name)")
                #expect(try client.call(name, "{}")["result"] != nil, "\(name)")
                for params in [#"{"nonsense":1}"#, "[]", "[1]"] {
                    let answer = try client.call(name, params)
                    #expect(answer.errorKind == "invalidParams", "\(name) \(params)")
                    #expect(answer.errorPath == (params == #"{"nonsense":1}"# ? "params.nonsense" : "params"))
                }
            }
        }
    }

    @Test func `server/hello returns the daemon's name, and a client's name may have 128 bytes`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            let hello = try #require(try client.call("server/hello")["result"])
            #expect(hello["server"] == "searchd")
            #expect(hello["protocol"] == 1)
            #expect(hello["version"]?.string != nil)
            #expect(hello["capabilities"]?.array?.isEmpty == false)
            #expect(hello["pid"]?.int != nil && hello["uid"]?.int != nil)
            let (fits, tooLong) = (String(repeating: "n", count: 128), String(repeating: "n", count: 129))
            #expect(try client.call("server/hello", "{\"client\":\"\(fits)\"}")["result"] != nil)
            for params in ["{\"client\":\"\(tooLong)\"}", #"{"client":1}"#] {
                #expect(try client.call("server/hello", params).errorPath == "params.client")
            }
        }
    }
}
