import JSON
import TestSupport
import Testing

@Suite struct ChannelTests {
    private func typed(_ query: String, _ more: String = "") -> String {
        "{\"query\":\"\(query)\",\"channel\":\"typing\"\(more)}"
    }

    @Test func `the latest request on a channel supersedes older requests`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            await daemon.delay(150)
            let ids = try ["ㄱ", "고", "고양", "고양이"].map { try client.ask("search", typed($0)) }
            for id in ids.dropLast() {
                let answer = try client.answer(to: id)
                // A single consonant needs no call, so the daemon may answer before it reads the next request.
                if answer["result"] == nil {
                    #expect(answer.errorKind == "superseded")
                    #expect(answer.errorCode == -32800)
                }
            }
            #expect(try client.answer(to: ids[3]).hitIDs.count == 10)
            client.closeWriting()
            try client.end()
        }
    }

    @Test func `each connection has its own independent channels`() async throws {
        try await withDaemon { daemon in
            let (first, second) = (try daemon.connect(), try daemon.connect())
            await daemon.delay(150)
            let one = try first.ask("search", typed("커피"))
            let two = try second.ask("search", typed("여행"))
            let three = try first.ask("search", #"{"query":"음악","channel":"other"}"#)
            let four = try first.ask("search", #"{"query":"영화"}"#)
            #expect(try second.answer(to: two).hitIDs.count == 10)
            for id in [one, three, four] { #expect(try first.answer(to: id).hitIDs.count == 10) }
        }
    }

    @Test func `a debounced request can be cancelled, and ends when its client disconnects`() async throws {
        try await withDaemon { daemon in
            do {
                let client = try daemon.connect()
                let id = try client.ask("search", typed("later", ",\"debounce\":10000"))
                try client.notify("$/cancelRequest", "{\"id\":\(id)}")
                #expect(try client.answer(to: id).errorKind == "cancelled")
                try client.ask("search", typed("later", ",\"debounce\":10000"))
                #expect(try daemon.stats(client)["connections"]?["inFlight"] == 1)
            }
            let other = try daemon.connect()
            try await eventually("no requests in flight") {
                try daemon.stats(other)["connections"]?["inFlight"] == 0
            }
            daemon.advance(by: .seconds(11))
            #expect(try other.call("server/ping")["result"] != nil)
            #expect(await daemon.requests() == 0)
        }
    }

    @Test func `a refused request does not supersede other requests`() async throws {
        try await withDaemon { daemon in
            let client = try daemon.connect()
            await daemon.delay(150)
            let older = try client.ask("search", typed("고양이"))
            #expect(try client.call("search", typed("x", ",\"limit\":0")).errorKind == "invalidParams")
            #expect(try client.answer(to: older).hitIDs.count == 10)
        }
    }
}
