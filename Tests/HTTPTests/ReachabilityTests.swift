import Testing

@testable import HTTP

struct ReachabilityTests {
    private func isOffline(
        after code: FetchError.Code,
        hasRoute: Bool = true,
        host: Reachability.Lookup = .found,
        knownHost: Reachability.Lookup = .found,
        hasResponse: Bool = false
    ) async -> Bool {
        let reachability = Reachability {
            hasRoute
        } lookup: { name in
            name == Reachability.knownHost ? knownHost : host
        }
        let error = FetchError(code: code, message: "no")
        return await reachability.isOffline(after: error, host: "a.example", hasResponse: hasResponse)
    }

    @Test(arguments: [FetchError.Code.dns, .connect, .timeoutConnect])
    func `if there is no route, any failure before sending means offline`(code: FetchError.Code)
        async
    {
        #expect(await isOffline(after: code, hasRoute: false))
        #expect(await !isOffline(after: code))
    }

    @Test func `an unanswered lookup means offline, but an unknown name does not`() async {
        #expect(await isOffline(after: .timeoutResolve))
        #expect(await isOffline(after: .dns, host: .unanswered, hasResponse: true))
        #expect(await !isOffline(after: .dns, host: .unknown))
    }

    @Test func `if even a well-known name is unknown, the machine is offline unless a source has responded`() async {
        #expect(await isOffline(after: .dns, host: .unknown, knownHost: .unknown))
        #expect(await !isOffline(after: .dns, host: .unknown, knownHost: .unknown, hasResponse: true))
    }

    @Test(arguments: [FetchError.Code.tls, .noResponse, .timeoutFirstByte, .cancelled, .overloaded])
    func `cancellation, overload and failures after connecting do not mean offline`(code: FetchError.Code) async {
        #expect(await !isOffline(after: code, hasRoute: false, host: .unanswered))
    }

    @Test func `the machine has a route to itself and resolves its own name`() {
        #expect(Reachability.hasRoute(to: "127.0.0.1"))
        #expect(!Reachability.hasRoute(to: "not an address"))
        #expect(Reachability.lookUp("localhost") == .found)
    }
}
