import EventLoop
import Fetch
import HTTPMessage
import Sandbox
import Testing

/// Against the imitated APIs, with server and client on one loop, as the daemon's tests have them.
struct SandboxTests {
    @Test func `a hundred searches at once go over the few connections allowed`() async throws {
        let loop = try EventLoop()
        let thread = try loop.startThread(named: "fetch-test")
        var options = SandboxOptions()
        options.limits = .none
        let key = options.keys.kakao[0]
        let server = try await SandboxServer.start(on: loop, options: options)
        var configuration = HTTPClientConfiguration(userAgent: "searchd-tests")
        configuration.exchangesPerOriginMax = 4
        let client = HTTPClient(loop: loop, configuration: configuration)

        var tasks: [FetchTask] = []
        for page in 1...100 {
            let url = "\(server.base)/v2/search/blog?query=abc&size=10&page=\(page % 50 + 1)"
            let fields = HTTPFields([("Authorization", "KakaoAK \(key)")])
            tasks.append(await client.start(FetchRequest(HTTPRequest(url: url, fields: fields))))
        }
        var opened = 0
        for task in tasks {
            let fetched = try await task.value.get()
            #expect(fetched.response.status == 200)
            #expect(fetched.text.hasPrefix("{"))
            if !fetched.metrics.reusedConnection { opened += 1 }
        }
        #expect((1...4).contains(opened))

        let url = "\(server.base)/v2/search/blog?query=abc"
        #expect(try await client.get(url).response.status == 401)

        await client.shutdown()
        await server.stop()
        loop.stop()
        thread.join()
    }
}
