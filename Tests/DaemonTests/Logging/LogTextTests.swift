import Testing

@testable import Daemon

@Suite struct LogTextTests {
    private let record = LogRecord(
        .warning,
        "kakao.blog fails",
        [LogRecord.Field("source", "kakao.blog"), LogRecord.Field("elapsedMilliseconds", 1234)]
    )

    @Test func `a line has its time, its level, its message and its fields`() {
        #expect(
            LogLine.text(record, milliseconds: 1_763_762_533_007)
                == "2025-11-21T22:02:13.007Z warning: kakao.blog fails (source=kakao.blog elapsedMilliseconds=1234)\n"
        )
        #expect(LogLine.text(LogRecord(.info, "x"), milliseconds: -1) == "1969-12-31T23:59:59.999Z info: x\n")
    }

    @Test func `no text can begin another log line or control a terminal`() {
        let line = LogLine.text(LogRecord(.info, "a\nb\u{1b}[2J\u{202e}"), milliseconds: 0)
        #expect(line == "1970-01-01T00:00:00.000Z info: a\\u{a}b\\u{1b}[2J\\u{202e}\n")
    }

    @Test func `a line for a journal starts with its level`() {
        #expect(LogLine.prefixed(LogRecord(.error, "x")) == "<3>x\n")
    }

    @Test(arguments: LogLevel.allCases) func `a level is parsed from its name`(level: LogLevel) {
        #expect(LogLevel(named: "\(level)") == level)
        #expect(LogLevel(named: "\(level)s") == nil)
    }
}
