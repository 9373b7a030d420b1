import EventLoop
import TestSupport
import Testing

@testable import HTTP

struct CancellationTests {
    private func request(_ server: RawServer, _ path: String = "/", scheme: String = "http") -> FetchRequest {
        // The test must cancel the request before a timeout expires.
        let patient = FetchTimeouts(connect: .seconds(60), firstByte: .seconds(60), whole: .seconds(60))
        var request = FetchRequest(HTTPRequest(url: server.url(path, scheme: scheme)))
        request.timeouts = patient
        return request
    }

    @Test func `a cancelled fetch closes its connection at once`() async throws {
        let events = Signals<String>()
        let server = try RawServer { connection in
            connection.readHead()
            events.send("received")
            events.send(connection.waitForClose() ? "closed" : "more")
        }
        try await withClient { client in
            let task = await client.start(request(server))
            #expect(await events.next() == "received")
            task.cancel()
            let error = await task.failure()
            #expect(error?.code == .cancelled)
            #expect(error?.wasSent == true)
            #expect(await events.next() == "closed")
            #expect(await client.running == 0)
        }
    }

    @Test func `a fetch cancelled during connecting has sent nothing`() async throws {
        let events = Signals<String>()
        let server = try RawServer { connection in
            events.send("connected")
            connection.waitForClose()
            events.send("closed")
        }
        try await withClient { client in
            let task = await client.start(request(server, scheme: "https"))
            #expect(await events.next() == "connected")
            task.cancel()
            let error = await task.failure()
            #expect(error?.code == .cancelled)
            #expect(error?.wasSent == false)
            #expect(await events.next() == "closed")
        }
    }

    @Test func `a fetch cancelled during a body ends at once`() async throws {
        let server = try RawServer { connection in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
            connection.drip(UInt8(ascii: "x"), everyMilliseconds: 5)
        }
        try await withClient { client in
            let sent = Signals<Void>()
            var slow = request(server)
            slow.willSend = { sent.send(()) }
            let task = await client.start(slow)
            await sent.next()
            task.cancel()
            #expect(await task.failure()?.code == .cancelled)
        }
    }

    @Test func `a fetch in a cancelled task does not start`() async throws {
        let server = try RawServer { $0.answer() }
        try await withClient { client in
            let error = await Task {
                // The call uses only the current task, which exists during the call.
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                return await client.failure(of: server.url())
            }.value
            #expect(error?.code == .cancelled)
            #expect(error?.wasSent == false)
        }
    }

    @Test func `a fetch that is cancelled in its willSend callback is not sent`() async throws {
        let seen = Signals<String>()
        let server = try RawServer { seen.send($0.readHead()) }
        try await withClient { client in
            let task = Locked<FetchTask?>(nil)
            let isKnown = Signals<Void>()
            var request = request(server)
            request.willSend = { task.withLock { $0 }?.cancel() }
            let started = FetchTask { [request] in
                await isKnown.next()
                return await client.outcome(of: request)
            }
            task.withLock { $0 = started }
            isKnown.send(())
            #expect(await started.failure()?.code == .cancelled)
            #expect(await seen.next() == "")
        }
    }

    @Test func `a willSend callback may cancel another fetch and start a third fetch`() async throws {
        let server = try RawServer { connection in
            while connection.readHead().hasPrefix("GET /fast") { connection.answer() }
            connection.waitForClose()
        }
        try await withClient { client in
            let victim = await client.start(request(server, "/slow"))
            let third = Locked<FetchTask?>(nil)
            var killer = request(server, "/fast")
            let innocent = killer
            killer.willSend = {
                victim.cancel()
                client.onLoop { client in third.withLock { $0 = client.start(innocent) } }
            }
            let fetched = try await client.fetch(killer)
            #expect(fetched.text == "ok")
            #expect(await victim.failure()?.code == .cancelled)
            let started = try #require(third.withLock { $0 })
            #expect(try await started.value.get().text == "ok")
        }
    }

    @Test func `fetches above the limit are refused until a running fetch ends`() async throws {
        let server = try RawServer { $0.waitForClose() }
        try await withClient {
            $0.exchangesMax = 2
        } _: { client in
            let first = await client.start(request(server))
            let second = await client.start(request(server))
            let error = await client.failure(of: server.url())
            #expect(error?.code == .overloaded)
            #expect(error?.wasSent == false)
            first.cancel()
            #expect(await first.failure()?.code == .cancelled)
            let third = await client.start(request(server))
            #expect(await client.running == 2)
            for task in [second, third] {
                task.cancel()
                #expect(await task.failure()?.code == .cancelled)
            }
        }
    }

    @Test func `shutting down ends running fetches and refuses new fetches`() async throws {
        let events = Signals<String>()
        let server = try RawServer { connection in
            connection.readHead()
            events.send("received")
            connection.waitForClose()
            events.send("closed")
        }
        try await withClient { client in
            let running = await client.start(request(server))
            #expect(await events.next() == "received")
            await client.shutdown()
            #expect(await running.failure()?.code == .closed)
            #expect(await events.next() == "closed")
            #expect(await client.failure(of: server.url())?.code == .closed)
            await client.shutdown()
        }
    }

    @Test func `connections are closed after the idle time, and the next fetch opens a new connection`() async throws {
        let events = Signals<String>()
        let server = try RawServer { connection in
            while connection.readHead() != "" { connection.answer() }
            events.send("closed")
        }
        try await withClient {
            $0.idleAfter = .milliseconds(30)
        } _: { client in
            _ = try await client.get(server.url())
            #expect(await events.next() == "closed")
            let again = try await client.get(server.url())
            #expect(!again.metrics.reusedConnection)
        }
    }

    @Test func `a client without references closes its connections`() async throws {
        let events = Signals<String>()
        let server = try RawServer { connection in
            while connection.readHead() != "" { connection.answer() }
            events.send("closed")
        }
        let loop = try EventLoop()
        let thread = try loop.startThread(named: "fetch-test")
        _ = try await HTTPClient(loop: loop, configuration: HTTPClientConfiguration(userAgent: "t")).get(server.url())
        #expect(await events.next() == "closed")
        loop.stop()
        thread.join()
    }

    @Test func `a thousand concurrent fetches, some of them cancelled, all end`() async throws {
        var generator = SeededGenerator(seed: testSeed())
        let server = try RawServer { connection in
            while connection.readHead() != "" { connection.answer() }
        }
        try await withClient {
            $0.exchangesMax = 1000
        } _: { client in
            var tasks: [(FetchTask, isCancelled: Bool)] = []
            for _ in 0..<1000 {
                let task = await client.start(request(server))
                tasks.append((task, Bool.random(using: &generator)))
                if let leaver = tasks.randomElement(using: &generator), leaver.isCancelled { leaver.0.cancel() }
            }
            var answered = 0
            for (task, isCancelled) in tasks {
                switch await task.value {
                case .success(let fetched):
                    #expect(fetched.text == "ok")
                    answered += 1
                case .failure(let error): #expect(error.code == .cancelled && isCancelled)
                }
            }
            #expect(answered >= tasks.filter { !$0.isCancelled }.count)
            #expect(await client.running == 0)
        }
    }
}
