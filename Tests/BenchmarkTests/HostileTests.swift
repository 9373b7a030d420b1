import JSON
import Testing

@testable import Benchmark

@Suite struct HostileTests {
    @Test func `sizes and gates can be chosen`() throws {
        let words = ["--connections", "100", "--kills", "30", "--part", "kills,lines"]
        let options = try HostileOptions(arguments: words)
        #expect(options.connections == 100)
        #expect(options.kills == 30)
        #expect(options.parts == [.lines, .kills])
        #expect(!options.isLong)
        #expect(try HostileOptions().parts == HostileOptions.Part.allCases)
        #expect(try HostileOptions().isLong)
    }

    @Test(arguments: [
        ["--connections", "0"], ["--connections", "4001"], ["--kills", "1000001"], ["--kills"], ["--part", "peace"],
        ["--fast"],
    ])
    func `what is wrong is refused`(_ arguments: [String]) {
        #expect(throws: BenchmarkError(.usage, "")) { _ = try HostileOptions(arguments: arguments) }
    }

    @Test func `a hostile line fills what a line may have, and is one line`() {
        let bytesMax = 16 * 1024
        for position in HostilePosition.all {
            for text in HostileText.all {
                let line = position.line(text, bytesMax: bytesMax)
                #expect(line.count <= bytesMax && line.count > bytesMax - 1_000, "\(position.name), \(text.name)")
                #expect(!line.contains(UInt8(ascii: "\n")))
            }
        }
        let longest = HostilePosition.all[0].line(.marks)
        #expect(longest.count <= HostilePosition.lineBytesMax && longest.count > HostilePosition.lineBytesMax - 1_000)
    }

    @Test func `a hostile line is JSON wherever it is meant to be`() throws {
        for position in HostilePosition.all where position.name != "raw bytes" {
            let document = try JSONDocument(position.line(.marks, bytesMax: 4 * 1024))
            #expect(document.root.kind == .object || document.root.kind == .array)
        }
    }

    @Test func `a hostile text is whole units, one at least`() throws {
        #expect(HostileText.marks.bytes(9).count == 8)
        #expect(HostileText.marks.bytes(1).count == 4)
    }

    @Test func `a hostile answer is found by its query, escaped or not`() throws {
        for index in HostileAnswer.all.indices {
            let request = Array("GET /v2/search/blog?query=\(HostileAnswer.query(index))+1&page=1 HTTP/1.1".utf8)
            #expect(HostileAnswer.chosen(by: request)?.name == HostileAnswer.all[index].name)
        }
        #expect(HostileAnswer.chosen(by: Array("GET / HTTP/1.1".utf8)) == nil)
    }

    @Test func `results and errors are told apart`() {
        #expect(Wire.isResult(Array(#"{"jsonrpc":"2.0","id":1,"result":{"uptime":1}}"#.utf8)))
        let error = Array(#"{"jsonrpc":"2.0","id":1,"error":{"code":-32008,"data":{"kind":"overloaded"}}}"#.utf8)
        #expect(!Wire.isResult(error))
        #expect(Wire.errorKind(error) == "overloaded")
        #expect(Wire.errorKind(nil) == nil)
    }

    @Test func `a verdict says in one word whether it held`() {
        #expect(Verdict("a", measured: "b", passed: true).hostileLine == "held: a: b")
        #expect(Verdict("a", measured: "b", passed: false).hostileLine == "FAILED: a: b")
    }

    @Test func `quotas hold up to the last call and the last unit`() {
        let idle = KillGate.Series(kills: 5, calls: 1, used: 1)
        let ample = KillGate.Series(kills: 2, calls: 4, used: 4 + 2 * 16)
        let tight = KillGate.Series(kills: 3, calls: 30, used: 30)
        #expect(KillGate.verdicts(idle, ample, tight, 30).map(\.passed) == [true, true, true])

        let costly = KillGate.Series(kills: 5, calls: 1, used: 2)
        let wasteful = KillGate.Series(kills: 2, calls: 4, used: 5 + 2 * 16)
        let over = KillGate.Series(kills: 3, calls: 31, used: 30)
        #expect(KillGate.verdicts(costly, wasteful, over, 30).map(\.passed) == [false, false, false])
    }

    @Test func `a call that was not counted is found`() {
        let uncounted = KillGate.Series(kills: 2, calls: 4, used: 3)
        #expect(!KillGate.verdicts(uncounted, uncounted, uncounted, 30)[1].passed)
    }

    @Test func `a good client may take twice as long and no longer`() throws {
        let twice = [LatencyGate.Round(idle: [100], attacked: [200]), LatencyGate.Round(idle: [90], attacked: [180])]
        let long = try HostileOptions()
        #expect(LatencyGate.verdict("ping", twice, long).passed)
        #expect(!LatencyGate.verdict("ping", twice + [LatencyGate.Round(idle: [50], attacked: [500])], long).passed)
        #expect(!LatencyGate.verdict("ping", [], long).passed)
    }

    @Test func `a short run, on whatever machine, asks only that a good client is not kept waiting`() throws {
        let short = try HostileOptions(arguments: ["--connections", "100"])
        let slow = LatencyGate.Round(idle: [100_000], attacked: [50_000_000])
        let stalled = LatencyGate.Round(idle: [100_000], attacked: [50_000_001])
        #expect(LatencyGate.verdict("ping", [slow], short).passed)
        #expect(!LatencyGate.verdict("ping", [stalled], short).passed)
        #expect(!LatencyGate.verdict("ping", [], short).passed)
    }
}
