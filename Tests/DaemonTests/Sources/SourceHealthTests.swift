import SearchModel
import SearchTestSupport
import Testing

@testable import Daemon

struct SourceHealthTests {
    @Test func `a source counts as failing from its first failure until its next success`() {
        var health = SourceHealth()
        #expect(health.failingSince == nil)
        health.ended(.unavailable, at: 100)
        health.ended(.timeout, at: 200)
        #expect(health.failingSince == 100)
        #expect(health.failure?.count == 2 && health.failure?.kind == .timeout && health.failure?.lastAt == 200)
        health.ended(.unavailable, "answered with 503", status: 503, at: 210)
        #expect(health.failure?.count == 3 && health.failure?.status == 503)
        health.ended(.cancelled, at: 220)
        #expect(health.failure?.message == "answered with 503")
        health.ended(nil, at: 300)
        #expect(health.failure == nil && health.failingSince == nil)
        #expect(health.latestFailure?.lastAt == 210)
        health.ended(.badResponse, at: 400)
        #expect(health.failingSince == 400)
    }

    @Test(arguments: [SearchError.Kind.invalidParams, .notFound])
    func `a source that rejects a request counts as working`(kind: SearchError.Kind) {
        var health = SourceHealth()
        health.ended(kind, at: 1)
        #expect(health.failingSince == nil)
        health.ended(.unavailable, at: 2)
        health.ended(kind, at: 3)
        #expect(health.failingSince == nil)
    }

    @Test(arguments: [SearchError.Kind.cancelled, .superseded, .shuttingDown, .overloaded, .internal])
    func `a cancellation or an error of the daemon does not change a source's health`(kind: SearchError.Kind) {
        var health = SourceHealth()
        health.ended(kind, at: 1)
        #expect(health.failingSince == nil)
        health.ended(.unauthorized, at: 2)
        health.ended(kind, at: 3)
        #expect(health.failingSince == 2)
    }
}
