import Testing

@testable import Daemon

struct StateLinesTests {
    private func lines(_ sink: RecordingSink, _ change: String) -> [LogRecord] {
        sink.records.filter { $0["change"] == change }
    }

    @Test func `if a source's circuit breaker opens or closes, a line is logged`() async throws {
        let sink = RecordingSink()
        try await withDaemon {
            $0.logSink = sink
        } _: { daemon in
            let client = try daemon.connect()
            await daemon.fault("maintenance")
            for number in 0..<10 where lines(sink, "breaker").isEmpty {
                _ = try client.call("search", "{\"query\":\"secretive \(number)\",\"timeout\":1000}")
            }
            #expect(lines(sink, "breaker").map(\.level) == [.warning])
            await daemon.endFaults()
            for number in 0..<10 where lines(sink, "breaker").count < 2 {
                daemon.advance(by: .seconds(10))
                _ = try client.call("search", "{\"query\":\"unsaid \(number)\"}")
            }
            let told = lines(sink, "breaker")
            #expect(told.map(\.level) == [.warning, .notice])
            #expect(told.map { $0["source"] } == ["kakao.blog", "kakao.blog"])
            #expect(!told.contains { $0.message.contains("secretive") || $0.message.contains("unsaid") })
        }
    }

    @Test func `an exhausted quota is logged once`() async throws {
        let sink = RecordingSink()
        try await withDaemon {
            $0.logSink = sink
            $0.members = #"sources: { "kakao.blog": { limits: { perDay: 2 } } },"#
        } _: { daemon in
            let client = try daemon.connect()
            for number in 0..<5 { _ = try client.call("search", "{\"query\":\"secretive \(number)\"}") }
            let told = lines(sink, "quota")
            #expect(told.map(\.level) == [.warning])
            #expect(told.first?.message.contains("secretive") == false)
        }
    }
}
