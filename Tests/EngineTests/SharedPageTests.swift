import EventLoop
import RPC
import SearchModel
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

    @Test(arguments: [SearchError.Kind.unavailable, .badResponse, .rateLimited])
    func `a hundred callers of a source that fails are one call and a hundred errors`(kind: SearchError.Kind) throws {
        try virtually { loop, _ in
            let world = World(on: loop) { _, _ in .failure(kind) }
            let answers = await hundred(world, request())
            #expect(answers.allSatisfy { $0.failureKind == kind })
            #expect(world.fetcher.calls.begun.count == 1)
            #expect(loop.now == at(.milliseconds(50)))
        }
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

    @Test func `a source that can't be read fails its own calls only`() throws {
        try virtually { loop, _ in
            let steady = steadyScript(total: 100)
            let world = World(on: loop) { key, call in
                key.source == sourceName("a.one") ? .failure(.badResponse) : steady(key, call)
            }
            async let both = world.search(request([profile("a.one"), profile("b.two")]))
            async let broken = world.search(request())
            async let whole = world.search(request([profile("b.two")]))
            #expect(await both.value?.sources.map(\.status) == [.failed, .ok])
            #expect(await broken.failureKind == .badResponse)
            #expect(await whole.value?.hits.count == 10)
            #expect(world.fetcher.calls.sent.count == 2)
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

    @Test func `a call that hangs ends at its cap, and whoever comes then begins a new one`() throws {
        try virtually { loop, _ in
            let sharing = InFlight<Int, Int>(on: loop, flightsMax: 5, callMax: .seconds(60))
            let began = Locked(0)
            let caller = Task(executorPreference: loop) {
                await sharing.value(for: 1, refresh: false) { _, report in
                    began.withLock { $0 += 1 }
                    report(.sent)
                    // It doesn't even heed its cancellation.
                    _ = await Task(executorPreference: loop) { try? await loop.sleep(until: at(.seconds(999))) }.value
                    return .success(1)
                }
            }
            let outcome = await caller.value.outcome
            #expect(outcome.failureKind == .timeout)
            #expect(loop.now == at(.seconds(60)))
            #expect(await sharing.figures.flights == 0)
            let next = await sharing.value(for: 1, refresh: false) { _, _ in .success(2) }
            #expect(next.outcome.value == 2 && !next.joined)
            #expect(began.withLock { $0 } == 1)
        }
    }

    @Test func `a later caller extends the time that a call has`() throws {
        try virtually { loop, _ in
            let sharing = InFlight<Int, Int>(on: loop, flightsMax: 5, callMax: .seconds(60))
            let deadlines = Locked<[Instant?]>([])
            let error = SearchError(.timeout, "late")
            let callers = [1, 3].map { seconds in
                Task(executorPreference: loop) {
                    try? await loop.sleep(until: at(.milliseconds(100 * seconds)))
                    return await sharing.value(
                        for: 1,
                        refresh: false,
                        deadline: InFlight.Deadline(instant: at(.seconds(seconds)), error: error)
                    ) { demand, _ in
                        for second in 0..<12 {
                            deadlines.withLock { $0.append(demand.deadline) }
                            do {
                                try await loop.sleep(until: at(.milliseconds(200 + second * 200)))
                            } catch {
                                return .failure(.cancelled)
                            }
                        }
                        return .success(1)
                    }.outcome
                }
            }
            #expect(await callers[0].value.failureKind == .timeout)
            #expect(loop.now == at(.seconds(1)))
            #expect(await callers[1].value.value == 1)
            #expect(deadlines.withLock { $0[0] } == at(.seconds(1)))
            #expect(deadlines.withLock { $0.last } == at(.seconds(3)))
        }
    }
}
