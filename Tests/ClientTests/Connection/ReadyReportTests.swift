import Testing

@testable import Client

struct ReadyReportTests {
    @Test func `one byte says that the daemon is ready`() {
        var report = ReadyReport()
        #expect(report.received(Array("R".utf8)) == .ready)
    }

    @Test func `a text is why it is not, with what to do on its second line`() {
        var report = ReadyReport()
        #expect(report.received(Array("Refused: others may wr".utf8)) == .unfinished)
        #expect(report.received(Array("ite to /tmp/x\nchmod go-w /tmp/x\n".utf8)) == .unfinished)
        #expect(
            report.received([]) == .failed(message: "Refused: others may write to /tmp/x", hint: "chmod go-w /tmp/x")
        )
    }

    @Test func `no word at all is a failure too`() {
        var report = ReadyReport()
        #expect(report.received([]) == .failed(message: nil, hint: nil))
    }

    @Test func `an endless text is cut at its limit`() {
        var report = ReadyReport()
        let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: ReadyReport.bytesMax - 1)
        #expect(report.received(chunk) == .unfinished)
        guard case .failed(let message?, nil) = report.received(chunk) else {
            Issue.record("not cut")
            return
        }
        #expect(message.utf8.count == ReadyReport.bytesMax)
    }
}
