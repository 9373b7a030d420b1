import EventLoop
import RPC
import SearchModel
import SearchTestSupport
import TestSupport
import Testing
import Upstream

@testable import Engine

struct SharedPageTests {
    private var secret: SearchRequest {
        var request = request()
        request.isPrivate = true
        return request
    }

    @Test(arguments: [true, false]) func `a page is cached if not all of its searches are private`(privateLeads: Bool)
        throws
    {
        try virtually { loop, _ in
            let world = World(on: loop, script: steadyScript(total: 100))
            let searches = [privateLeads, !privateLeads].map { isPrivate in
                Task(executorPreference: loop) { await world.search(isPrivate ? secret : request()) }
            }
            try await world.sleep(.milliseconds(10))
            for search in searches {
                search.cancel()
                #expect(await search.value.failureKind == .cancelled)
            }
            try await world.sleep(.milliseconds(100))
            #expect(world.fetcher.calls.finished.count == 1)
            #expect(await world.cache.figures.entries == 1)
        }
    }
}
