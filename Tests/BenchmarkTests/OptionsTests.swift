import Testing

@testable import Benchmark

@Suite struct OptionsTests {
    private func refusal(_ body: () throws -> Void) -> BenchmarkError? {
        do {
            try body()
            return nil
        } catch {
            return error as? BenchmarkError
        }
    }

    @Test func `parts, sizes and another program can be chosen`() throws {
        let words = [
            "misses", "--against", "/old/searchd", "--connections", "1,1000", "--peers", "echo", "--seconds", "0.5",
        ]
        let options = try Options(words)
        #expect(options.chosen == ["misses"] && options.against == "/old/searchd" && options.peers == ["echo"])
        #expect(options.connections == [1, 1_000] && options.seconds == 0.5)
        #expect(try Options([]).chosen == Options.parts)
        let gates = try GateOptions(["--kills", "30", "--connections", "100", "--gates", "kills,lines"])
        #expect(gates.gates == [.lines, .kills] && gates.kills == 30 && gates.connections == 100)
    }

    @Test(arguments: [
        ["--connections", "1001"], ["--connections", "0"], ["--connections", "1,,2"], ["--connections"],
        ["--rounds", "x"],
        ["--seconds", "nan"], ["--seconds", "601"], ["--peers", "memcached"], ["fast"], ["--fast"],
    ])
    func `what is wrong is refused with a hint`(_ arguments: [String]) {
        let error = refusal { _ = try Options(arguments) }
        #expect(error?.isUsage == true && error?.hint != nil)
    }

    @Test(arguments: [
        [], ["--connections", "100"], ["--kills", "30"], ["--connections", "4001", "--kills", "1"],
        ["--connections", "1", "--kills", "1", "--gates", "peace"],
    ])
    func `the gates need their sizes`(_ arguments: [String]) {
        #expect(refusal { _ = try GateOptions(arguments) }?.isUsage == true)
    }
}
