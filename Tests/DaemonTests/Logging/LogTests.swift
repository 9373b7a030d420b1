import CPlatform
import Engine
import EventLoop
import Glibc
import JSON
import SearchModel
import TestSupport
import Testing
import Upstream

@testable import Daemon

@Suite struct LogTests {
    private let sink = RecordingSink()
    private let peer = Peer(processID: 7, userID: 1000, groupID: 1000)

    @Test func `lines below the level are not written, and the level can change`() {
        let log = Log(level: .warning, sink: sink)
        log.info("quiet")
        log.warning("loud")
        log.change(level: .debug, slowRequest: nil, secrets: [])
        log.debug("all")
        #expect(sink.messages == ["loud", "all"])
    }

    @Test func `keys are masked in messages and in fields`() {
        let log = Log(sink: sink)
        log.change(level: .info, slowRequest: nil, secrets: [Secret("s3cret/key")])
        log.error("GET /?key=s3cret%2Fkey", LogRecord.Field("url", "s3cret/key"))
        #expect(sink.records.first?.message == "GET /?key=‹secret›")
        #expect(sink.records.first?["url"] == "‹secret›")
    }

    @Test func `a request is logged only if it takes at least the configured time`() throws {
        let log = Log(slowRequest: .seconds(1), sink: sink)
        log.answered("search", of: peer, error: "timeout", after: .milliseconds(999))
        #expect(sink.records.isEmpty)
        log.answered("search", of: peer, error: "timeout", after: .milliseconds(1000))
        let record = try #require(sink.records.first)
        #expect(record.message == "search of user 1000 took 1000 ms")
        #expect(record["outcome"] == "timeout")
        #expect(record["process"] == "7")
    }

    @Test func `a query is logged only at the level debug, and a private query never`() throws {
        let query = try #require(SearchQuery("고양이"))
        var request = SearchRequest(query: query, sources: [])
        for level in LogLevel.allCases where level != .debug { Log(level: level, sink: sink).searching(request) }
        #expect(sink.records.isEmpty)
        let log = Log(level: .debug, sink: sink)
        log.searching(request)
        #expect(sink.messages == ["search for 고양이"])
        request.isPrivate = true
        log.searching(request)
        #expect(sink.records.count == 1)
    }

    @Test func `a failure is logged as a warning, and a recovery as a notice`() throws {
        let source = try #require(SourceName("kakao.blog"))
        let log = Log(sink: sink)
        log.changed(StateChange(.breaker, of: source, "open", isTrouble: true))
        log.changed(StateChange(.quota, "back", isTrouble: false))
        #expect(sink.records.map(\.level) == [.warning, .notice])
        #expect(sink.records[0]["source"] == "kakao.blog")
        #expect(sink.records[0]["change"] == "breaker")
    }

    @Test func `the journal is used only if standard error is connected to it`() {
        var status = stat()
        _ = unsafe fstat(STDERR_FILENO, &status)
        func isJournal(_ stream: String) -> Bool {
            let environment = ["JOURNAL_STREAM": stream]
            return StandardErrorSink(ProcessEnvironment(userID: 0, processID: 1, environment: environment)).isJournal
        }
        #expect(!StandardErrorSink().isJournal)
        #expect(!isJournal("\(status.st_dev):\(status.st_ino + 1)"))
        #expect(isJournal("\(status.st_dev):\(status.st_ino)"))
    }

    @Test func `a slow request is logged without its query`() async throws {
        try await withProgram(members: "log: { slowRequest: \"50ms\" },") { program in
            await program.delay(100)
            let client = try program.connect()
            let answer = try client.call("search", #"{"query":"secretive"}"#)
            #expect(answer["result"] != nil)
            program.searchd.signal(SIGTERM)
            #expect(try program.searchd.waitForExit() == 0)
            let line = try #require(
                program.searchd.errors.split(separator: "\n").first { $0.contains("search of user") }
            )
            #expect(line.contains("Z info: ") && line.contains("method=search") && line.contains("outcome=ok"))
            #expect(!program.searchd.errors.contains("secretive"))
        }
    }
}
