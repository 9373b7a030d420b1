import JSON
import Testing

@Suite struct SearchParameterTests {
    private static func x(_ count: Int) -> String { String(repeating: "x", count: count) }

    private static let wrong: [(params: String, path: String)] = [
        (#""sources":"kakao.blog""#, "params.sources"), (#""sources":[]"#, "params.sources"),
        (#""sources":["kakao.blog",1]"#, "params.sources[1]"), (#""sources":{}"#, "params.sources"),
        ("\"sources\":[\(Array(repeating: "\"kakao.blog\"", count: 65).joined(separator: ","))]", "params.sources"),
        (#""kinds":"blog""#, "params.kinds"), (#""kinds":[null]"#, "params.kinds[0]"),
        (#""kinds":["Blog!"]"#, "params.kinds[0]"), (#""kinds":[]"#, "params.kinds"),
        (#""sort":"best""#, "params.sort"), (#""sort":1"#, "params.sort"), (#""sort":"Title""#, "params.sort"),
        (#""offset":-1"#, "params.offset"), (#""offset":100001"#, "params.offset"),
        (#""offset":"0""#, "params.offset"), (#""offset":1.5"#, "params.offset"),
        (#""limit":0"#, "params.limit"), (#""limit":1001"#, "params.limit"), (#""limit":"10""#, "params.limit"),
        (#""limit":10.5"#, "params.limit"), (#""limit":true"#, "params.limit"), (#""limit":[]"#, "params.limit"),
        (#""limit":99999999999999999999"#, "params.limit"),
        (#""cursor":1"#, "params.cursor"), (#""cursor":"nonsense""#, "params.cursor"),
        (#""cursor":"0123456789abcdef-a","offset":1"#, "params.offset"),
        (#""cursor":"0123456789abcdef-a""#, "params.cursor"),
        (#""stream":1"#, "params.stream"), (#""stream":"true""#, "params.stream"),
        (#""raw":0"#, "params.raw"), (#""offline":"no""#, "params.offline"), (#""private":1"#, "params.private"),
        (#""explain":{}"#, "params.explain"),
        (#""maxAge":-1"#, "params.maxAge"), (#""maxAge":31536001"#, "params.maxAge"),
        (#""maxAge":"600""#, "params.maxAge"),
        (#""timeout":0"#, "params.timeout"), (#""timeout":120001"#, "params.timeout"),
        (#""timeout":"1s""#, "params.timeout"),
        (#""wait":"some""#, "params.wait"), (#""wait":1"#, "params.wait"),
        (#""channel":"""#, "params.channel"), (#""channel":1"#, "params.channel"),
        ("\"channel\":\"\(x(65))\"", "params.channel"),
        (#""debounce":10"#, "params.debounce"), (#""channel":"c","debounce":-1"#, "params.debounce"),
        (#""channel":"c","debounce":10001"#, "params.debounce"),
        (#""channel":"c","debounce":"150""#, "params.debounce"),
        (#""options":[]"#, "params.options"), (#""options":{"kakao.blog":1}"#, "params.options.kakao.blog"),
        (#""options":{"naver.image":{"filter":"large"}}"#, "params.options.naver.image"),
        (#""options":{"kakao.blog":{"target":"title"}}"#, "params.options.kakao.blog.target"),
        (#""priority":"urgent""#, "params.priority"), (#""priority":1"#, "params.priority"),
        (#""filter":"x""#, "params.filter"), (#""filter":{"sight":"a.org"}"#, "params.filter.sight"),
        (#""filter":{"site":"https://a.org"}"#, "params.filter.site"), (#""filter":{"site":1}"#, "params.filter.site"),
        (#""filter":{"since":"7d"}"#, "params.filter.since"), (#""filter":{"until":2024}"#, "params.filter.until"),
        (#""filter":{"since":"2024","until":"2023"}"#, "params.filter.until"),
        (#""filter":{"has":"url"}"#, "params.filter.has"),
        (#""filter":{"has":["url","prize"]}"#, "params.filter.has[1]"),
        (
            "\"filter\":{\"has\":[\(Array(repeating: "\"url\"", count: 17).joined(separator: ","))]}",
            "params.filter.has"
        ),
        (#""nonsense":1"#, "params.nonsense"), (#""limt":5"#, "params.limt"), (#""Limit":5"#, "params.Limit"),
        (#""limit":5,"limit":5"#, "params.limit"), (#""query":"y""#, "params.query"),
    ]

    /// Valid parameters, with values at their limits.
    private static let right = [
        #""offset":0,"limit":1"#, #""offset":100000,"limit":1000"#, #""maxAge":0"#, #""maxAge":31536000"#,
        #""timeout":1"#, #""timeout":120000"#, #""sort":"relevance""#, #""sort":"recency""#, #""sort":"title""#,
        #""channel":"c","debounce":0"#, #""channel":"c","debounce":1"#, "\"channel\":\"\(x(64))\"",
        #""wait":"all""#, #""wait":"enough""#, #""stream":true"#, #""raw":true"#, #""private":true"#,
        #""explain":true"#, #""priority":"interactive""#,
        #""filter":{}"#, #""filter":{"site":"a.org","since":"2024-03-09","until":"2024","has":["url","extra.price"]}"#,
        "\"filter\":{\"has\":[\(Array(repeating: "\"url\"", count: 16).joined(separator: ","))]}",
        #""priority":"background""#, #""kinds":["blog"]"#, #""sources":["kakao.*"]"#, #""sources":["*"]"#,
        "\"sources\":[\(Array(repeating: "\"kakao.blog\"", count: 64).joined(separator: ","))]",
        #""sources":["kakao.book"],"options":{"kakao.book":{"target":"title"}}"#, #""options":{}"#,
        #""limit":null,"sort":null,"cursor":null,"options":null"#,
    ]

    @Test func `a parameter with a wrong type or out of bounds is refused with its path`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            for row in Self.wrong {
                let answer = try client.call("search", "{\"query\":\"x\",\(row.params)}")
                #expect(answer.errorKind == "invalidParams", "\(row.params): \(answer)")
                #expect(answer.errorCode == -32602, "\(row.params)")
                #expect(answer.errorPath == row.path, "\(row.params): \(answer)")
                #expect(answer.hint?.isEmpty == false, "\(row.params)")
            }
            #expect(await daemon.requests() == 0)
        }
    }

    @Test func `a parameter is accepted at its bounds`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            for params in Self.right {
                let answer = try client.call("search", "{\"query\":\"x\",\"offline\":true,\(params)}")
                #expect(answer["result"] != nil, "\(params): \(answer)")
            }
            #expect(await daemon.requests() == 0)
        }
    }

    @Test func `a query is 1 to 1,024 bytes of text`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            let empty = [#"{}"#, #"{"query":null}"#, #"{"query":1}"#, #"{"query":""}"#, #"{"query":" \t\n "}"#]
            for params in empty + ["{\"query\":\"\(Self.x(1025))\"}", "{\"query\":\"\(Self.x(5000))\"}"] {
                let answer = try client.call("search", params)
                #expect(answer.errorKind == "invalidParams", "\(params)")
                #expect(answer.errorPath == "params.query", "\(params)")
            }
            #expect(try client.call("search").errorPath == "params.query")
            let longest = try client.call("search", "{\"query\":\"  \(Self.x(1024)) \",\"offline\":true}")
            #expect(longest["result"]?["query"]?.string == Self.x(1024))
        }
    }
}
