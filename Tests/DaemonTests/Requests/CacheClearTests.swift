import Catalogue
import Engine
import EventLoop
import Glibc
import JSON
import RPC
import SearchModel
import Testing

@testable import Daemon

/// What a user may clear that is no administrator: callers whom the kernel would have to vouch for are made up here.
@Suite struct CacheClearTests {
    private static let daemonUser: UInt32 = 998

    /// A cache with pages, and callers of the method that clears it.
    private struct Fixture {
        let cache: ResultCache
        let method: CacheClearMethod
        let shared: SessionResources

        init(on loop: EventLoop) {
            cache = ResultCache(on: loop, bytesMax: 1 << 20)
            let directory = SourceDirectory(catalogue: .builtIn(), sources: [])
            method = CacheClearMethod(cache: cache, disk: nil, directory: DirectoryBox(directory))
            shared = SessionResources(on: loop, log: Log(level: .error), repeatedUses: cache.repeatedUses)
        }

        /// Caches a page of a query that these users have been given.
        func keep(_ query: String, usedBy users: UInt32...) throws {
            let source = try #require(SourceName("kakao.blog"))
            let request = PageRequest(query: try #require(SearchQuery(query)), page: 0)
            let now = shared.loop.now
            let page = CachedPage(
                Page(hits: [], isEnd: true),
                key: PageKey(source: source, request: request),
                fetchedAt: now,
                freshUntil: now.advanced(by: .seconds(60))
            )
            for user in users { page.validity.note(user: user) }
            cache.onLoop { _ = $0.insert(page) }
        }

        /// What a user is answered: how much was removed, or the kind of error.
        func clear(_ query: String? = nil, by user: UInt32, tellsUsersApart: Bool = true) throws -> String? {
            let permissions = Permissions(userID: CacheClearTests.daemonUser, tellsUsersApart: tellsUsersApart)
            let null = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
            try #require(null >= 0)
            let session = Session(
                number: 1,
                peer: Peer(processID: 1, userID: user, groupID: user),
                descriptor: FileDescriptor(owning: null),
                shared,
                Dispatcher(MethodTable([]), permissions, shared)
            )
            let params = try query.map { try JSONDocument(Array("{\"query\":\"\($0)\"}".utf8)).root }
            let call = Call(
                params: params,
                session: session,
                methods: MethodTable([]),
                permissions: permissions,
                receivedAt: shared.loop.now
            )
            do throws(SearchError) {
                guard case .answered(.result(let bytes)) = try method.begin(call) else { return nil }
                return try? JSONDocument(bytes).root["removed"]?.int.map { "\($0)" }
            } catch {
                #expect(error.hint?.contains("“sudo searchctl cache clear”") == true)
                return error.kind.rawValue
            }
        }
    }

    private func withFixture(_ body: @Sendable (Fixture) throws -> Void) async throws {
        try await withLoop("searchd") { loop in
            try await withTaskExecutorPreference(loop) { try await run(Fixture(on: loop), body) }
        }
    }

    /// On the loop.
    private func run(_ fixture: Fixture, _ body: @Sendable (Fixture) throws -> Void) async throws {
        try body(fixture)
    }

    @Test func `a user clears what no other user has been given, and is refused the rest`() async throws {
        try await withFixture { fixture in
            try fixture.keep("own", usedBy: 1, 1)
            try fixture.keep("both", usedBy: 1, 2)
            try fixture.keep("theirs", usedBy: 2)
            try fixture.keep("nobody's")
            #expect(try fixture.clear("both", by: 1) == "forbidden")
            #expect(try fixture.clear("theirs", by: 1) == "forbidden")
            #expect(try fixture.clear("unknown", by: 1) == "0")
            #expect(try fixture.clear(by: 1) == "2")
            #expect(try fixture.clear(by: 1) == "forbidden")
            #expect(try fixture.clear(by: 2) == "1")
        }
    }

    @Test func `where the kernel shows several users as one, none of these clears anything`() async throws {
        try await withFixture { fixture in
            try fixture.keep("nobody's", usedBy: UserMap.nobody)
            #expect(try fixture.clear(by: UserMap.nobody, tellsUsersApart: false) == "forbidden")
            #expect(try fixture.clear(by: UserMap.nobody) == "1")
        }
    }

    @Test(arguments: [0, daemonUser]) func `an administrator clears everyone's`(user: UInt32) async throws {
        try await withFixture { fixture in
            try fixture.keep("both", usedBy: 1, 2)
            try fixture.keep("theirs", usedBy: 2)
            #expect(try fixture.clear(by: user) == "2")
            #expect(try fixture.clear(by: 1) == "0")
        }
    }
}
