import Testing

@testable import HTTP

struct ReachabilityTests {
    private func isOffline(
        after code: FetchError.Code,
        hasRoute: Bool = true,
        nameServersAnswer: Bool = true
    ) async -> Bool {
        let reachability = Reachability {
            hasRoute
        } nameServersAnswer: { host in
            #expect(host == "example.org")
            return nameServersAnswer
        }
        return await reachability.isOffline(after: FetchError(code: code, message: "no"), host: "example.org")
    }

    @Test(arguments: [FetchError.Code.dns, .connect, .timeoutConnect])
    func `without a route, any failure before sending means offline`(code: FetchError.Code)
        async
    {
        #expect(await isOffline(after: code, hasRoute: false))
        #expect(await !isOffline(after: code))
    }

    @Test func `silent name servers mean offline, but an unknown name does not`() async {
        #expect(await isOffline(after: .timeoutResolve))
        #expect(await isOffline(after: .dns, nameServersAnswer: false))
        #expect(await !isOffline(after: .dns, nameServersAnswer: true))
    }

    @Test(arguments: [FetchError.Code.tls, .noResponse, .timeoutFirstByte, .cancelled, .overloaded])
    func `other failures do not mean offline`(code: FetchError.Code) async {
        #expect(await !isOffline(after: code, hasRoute: false, nameServersAnswer: false))
    }

    @Test func `the machine has a route to itself and resolves its own name`() {
        #expect(Reachability.hasRoute(to: "127.0.0.1"))
        #expect(!Reachability.hasRoute(to: "not an address"))
        #expect(Reachability.nameServersAnswer(for: "localhost"))
    }
}
