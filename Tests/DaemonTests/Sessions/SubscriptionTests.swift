import Engine
import EventLoop
import Glibc
import JSON
import RPC
import SearchModel
import TestSupport
import Testing

@testable import Daemon

/// Tests subscriptions with methods that this file defines.
@Suite struct SubscriptionTests {
    private struct Feeds {
        let path: String
        let server: ConnectionServer
        let progress: Locked<Feed.Progress>

        func connect() throws -> TestClient { try TestClient(path) }

        func waitForEnd(of count: Int) async throws {
            try await eventually("\(count) ended subscriptions") { progress.withLock { $0.ended } == count }
        }
    }

    private func withFeeds(_ body: (Feeds) async throws -> Void) async throws {
        let directory = TemporaryDirectory()
        let path = directory.file("searchd.sock")
        try await withLoop("searchd") { loop in
            let feed = Feed()
            let listener = try UnixSocket.listen(at: path, backlog: 16).release()
            let server = try await Task(executorPreference: loop) {
                let server = ConnectionServer(on: loop, Permissions(userID: getuid()), log: Log(level: .error))
                server.methods = MethodTable(feed.methods)
                try server.listen(on: FileDescriptor(owning: listener))
                return server
            }.value
            try await onOwnThread {
                try await body(Feeds(path: path, server: server, progress: feed.progress))
            }
            await Task(executorPreference: loop) { await server.drain(until: loop.now) }.value
        }
    }

    @Test func `the answer comes first, then each notification once and in order`() async throws {
        try await withFeeds { feeds in
            let client = try feeds.connect()
            let numbers = try (0..<2).map { _ in
                let id = try client.ask("test/follow", #"{"count":3}"#)
                let answer = try client.message()
                #expect(answer["id"]?.int == id)
                let number = answer["result"]?["subscription"]?.int
                for index in 0..<3 {
                    let notice = try client.message()
                    #expect(notice["method"] == "test/noticed" && notice["id"] == nil)
                    #expect(notice["params"]?["subscription"]?.int == number)
                    #expect(notice["params"]?["index"]?.int == index)
                }
                return number
            }
            #expect(numbers[0] != nil && numbers[0] != numbers[1])
        }
    }

    @Test func `if a client reads slowly, its subscription pauses, and other clients are not delayed`() async throws {
        try await withFeeds { feeds in
            let (silent, other) = (try feeds.connect(), try feeds.connect())
            let id = try silent.ask("test/follow", #"{"count":2000,"bytes":10000}"#)
            try await eventually("a full buffer") { await feeds.server.unsentBytes >= SessionLimits.unsentBytes }
            for _ in 0..<20 { #expect(try other.call("server/ping")["result"] != nil) }
            #expect(await feeds.server.unsentBytes < SessionLimits.unsentBytes + 20_000)
            let sent = feeds.progress.withLock { $0.sent }
            #expect(sent < 2000)
            _ = try silent.answer(to: id)
            for index in 0..<2000 { #expect(try silent.message()["params"]?["index"]?.int == index) }
            #expect(try silent.call("server/ping")["result"] != nil)
        }
    }

    @Test func `when a subscription ends, its task ends, and no notification follows`() async throws {
        try await withFeeds { feeds in
            let client = try feeds.connect()
            let number = try client.call("test/follow", #"{"count":1}"#)["result"]?["subscription"]?.int ?? 0
            _ = try client.message()
            for isEnded in [JSONValue.bool(true), false] {
                let answer = try client.call("test/unfollow", "{\"subscription\":\(number)}")
                #expect(answer["result"]?["ended"] == isEnded)
            }
            try await feeds.waitForEnd(of: 1)
            let id = try client.ask("test/follow", #"{"count":100000,"bytes":10000}"#)
            try await eventually("a full buffer") { await feeds.server.unsentBytes >= SessionLimits.unsentBytes }
            let second = try client.answer(to: id)["result"]?["subscription"]?.int ?? 0
            _ = try client.call("test/unfollow", "{\"subscription\":\(second)}")
            try await feeds.waitForEnd(of: 2)
            #expect(feeds.progress.withLock { $0.sent } < 100_000)
        }
    }

    @Test func `subscriptions end when the connection closes or the daemon shuts down`() async throws {
        try await withFeeds { feeds in
            do {
                let leaving = try feeds.connect()
                _ = try leaving.call("test/follow", "{}")
            }
            try await feeds.waitForEnd(of: 1)
            let half = try feeds.connect()
            _ = try half.call("test/follow", "{}")
            half.closeWriting()
            try half.end()
            try await feeds.waitForEnd(of: 2)
            let last = try feeds.connect()
            _ = try last.call("test/follow", "{}")
            let loop = feeds.server.loop
            let drained = Task(executorPreference: loop) { [server = feeds.server] in
                await server.drain(until: loop.now.advanced(by: .seconds(20)))
            }
            try last.end()
            try await feeds.waitForEnd(of: 3)
            await drained.value
        }
    }

    @Test func `a connection can have 8 subscriptions, and a user can have 64`() async throws {
        try await withFeeds { feeds in
            let clients = try (0..<9).map { _ in try feeds.connect() }
            for client in clients.dropLast() {
                for _ in 0..<8 { #expect(try client.call("test/follow", "{}")["result"] != nil) }
            }
            let over = try clients[0].call("test/follow", "{}")
            #expect(over.errorKind == "limitReached" && over.errorCode == -32012 && over.hint != nil)
            #expect(try clients[8].call("test/follow", "{}").errorKind == "limitReached")
            _ = try clients[0].call("test/unfollow", #"{"subscription":7}"#)
            #expect(try clients[8].call("test/follow", "{}")["result"] != nil)
            #expect(try clients[0].call("test/follow", "{}").errorKind == "limitReached")
        }
    }
}

/// Methods that begin and end a subscription with test notifications.
private struct Feed {
    struct Progress {
        var sent = 0
        var ended = 0
    }

    let progress = Locked(Progress())

    var methods: [Method] {
        [
            Method(Self.description("test/follow")) {
                [progress] call, parameters throws(SearchError) in
                let count = try parameters.integer(.count, in: 0...100_000) ?? 0
                let text = String(repeating: "x", count: try parameters.integer(.bytes, in: 0...10_000) ?? 0)
                try parameters.finish()
                let number = try call.session.subscriptions.begin { subscription in
                    await Self.send(count, text, to: subscription, progress)
                }
                return .answered(.object { $0.member("subscription", Int(number)) })
            },
            Method(Self.description("test/unfollow")) {
                call,
                parameters throws(SearchError) in
                let number = try parameters.integer(.subscription, in: 0...1000) ?? 0
                try parameters.finish()
                let isEnded = call.session.subscriptions.end(UInt64(number))
                return .answered(.object { $0.member("ended", isEnded) })
            },
            Method(.ping) { _, _ in .answered(.object { $0.member(.uptime, 0.0) }) },
        ]
    }

    private static func description(_ name: String) -> MethodDescription {
        var description = MethodDescription(.ping, summary: "For a test.", result: [])
        description.name = name
        return description
    }

    private static func send(
        _ count: Int,
        _ text: String,
        to subscription: Subscription,
        _ progress: Locked<Progress>
    ) async {
        for index in 0..<count {
            let isSent = await subscription.send("test/noticed") { writer in
                writer.object { writer in
                    writer.member("subscription", Int(subscription.number))
                    writer.member("index", index)
                    writer.member("text", text)
                }
            }
            guard isSent else { break }
            progress.withLock { $0.sent += 1 }
        }
        let (nothing, source) = AsyncStream.makeStream(of: Void.self)
        for await _ in nothing {}
        source.finish()
        progress.withLock { $0.ended += 1 }
    }
}
