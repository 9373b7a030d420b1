import EventLoop
import RPC
import SearchModel
import SearchTestSupport
import TestSupport
import Testing
import Upstream

@testable import Engine

/// Calls shared by searches, and what is kept of them.
struct SharedPageTests {
    /// Searches of a hundred callers at once.
    private func hundred(_ world: World, _ request: SearchRequest) async -> [Result<SearchAnswer, SearchError>] {
        await withTaskGroup(of: Result<SearchAnswer, SearchError>.self) { group in
            for _ in 0..<100 { group.addTask { await world.search(request) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private var secret: SearchRequest {
        var request = request()
        request.isPrivate = true
        return request
    }

    @Test func `what is no longer fresh is replaced by one call for all`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: steadyScript(total: 100))
            _ = try await world.search(request()).get()
            // Past the time in which an old page still answers.
            try await world.sleep(.seconds(1201))
            let answers = await hundred(world, request())
            #expect(answers.count { $0.value?.sources[0].cache == .miss } == 1)
            #expect(answers.count { $0.value?.sources[0].cache == .joined } == 99)
            #expect(world.fetcher.calls.sent.count == 2)
        }
    }

    @Test func `an answer that is kept for nobody reaches all who waited`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: steadyScript(total: 100))
            let answers = await hundred(world, secret)
            #expect(answers.allSatisfy { $0.value?.hits.count == 10 })
            #expect(world.fetcher.calls.sent.count == 1)
            #expect(await world.cache.figures.entries == 0)
        }
    }

    @Test(arguments: [true, false]) func `a page is kept when anyone asked who isn't private`(privateLeads: Bool) throws
    {
        try virtually { loop, _ in
            let world = World(on: loop, script: steadyScript(total: 100))
            let searches = [privateLeads, !privateLeads].map { isPrivate in
                Task(executorPreference: loop) { await world.search(isPrivate ? secret : request()) }
            }
            try await world.sleep(.milliseconds(10))
            // Both leave when it is paid for.
            for search in searches {
                search.cancel()
                #expect(await search.value.failureKind == .cancelled)
            }
            try await world.sleep(.milliseconds(100))
            #expect(world.fetcher.calls.finished.count == 1)
            #expect(await world.cache.figures.entries == 1)
        }
    }

    @Test func `a private search's call ends when it has left, and nothing is kept`() throws {
        try virtually { loop, _ in
            let world = World(on: loop, script: steadyScript(total: 100))
            let search = Task(executorPreference: loop) { await world.search(secret) }
            try await world.sleep(.milliseconds(10))
            search.cancel()
            try await world.sleep(.milliseconds(100))
            #expect(world.fetcher.calls.finished.count == 1)
            #expect(await world.cache.figures.entries == 0)
        }
    }
}
