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
    func `without a route this machine is offline, whatever failed before anything was sent`(code: FetchError.Code)
        async
    {
        #expect(await isOffline(after: code, hasRoute: false))
        #expect(await !isOffline(after: code))
    }

    @Test func `silent name servers mean offline, and a name that does not exist does not`() async {
        #expect(await isOffline(after: .timeoutResolve))
        #expect(await isOffline(after: .dns, nameServersAnswer: false))
        #expect(await !isOffline(after: .dns, nameServersAnswer: true))
    }

    @Test(arguments: [FetchError.Code.tls, .noResponse, .timeoutFirstByte, .cancelled, .overloaded])
    func `other failures say nothing of this machine`(code: FetchError.Code) async {
        #expect(await !isOffline(after: code, hasRoute: false, nameServersAnswer: false))
    }

    @Test func `this machine has a route to itself, and its own name is known without a name server`() {
        #expect(Reachability.hasRoute(to: "127.0.0.1"))
        #expect(!Reachability.hasRoute(to: "not an address"))
        #expect(Reachability.nameServersAnswer(for: "localhost"))
    }
}
