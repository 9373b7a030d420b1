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

    @Test func `all options are parsed`() throws {
        let words = [
            "misses", "--against", "/old/searchd", "--connections", "1,1000", "--peers", "echo", "--seconds", "0.5",
        ]
        let options = try Options(words)
        #expect(options.chosen == ["misses"] && options.against == "/old/searchd" && options.peers == ["echo"])
        #expect(options.connections == [1, 1_000] && options.seconds == 0.5)
        #expect(try Options([]).chosen == Options.parts)
        let hostile = try Options(["hostile", "--kills", "30", "--connections", "100", "--gates", "kills,lines"])
        #expect(hostile.gates == [.lines, .kills] && hostile.kills == 30 && hostile.attackers == 100)
        #expect(hostile.isHostile && hostile.chosen.isEmpty)
    }

    @Test(arguments: [
        ["--connections", "4001"], ["--connections", "0"], ["--connections", "1,,2"], ["--connections"],
        ["--rounds", "x"],
        ["--seconds", "nan"], ["--seconds", "601"], ["--peers", "memcached"], ["fast"], ["--fast"],
    ])
    func `wrong arguments are refused with a hint`(_ arguments: [String]) {
        let error = refusal { _ = try Options(arguments) }
        #expect(error?.isUsage == true && error?.hint != nil)
    }

    @Test func `limits are less strict in a short run`() throws {
        let short = try Options(["hostile", "--kills", "1", "--connections", "100"])
        let long = try Options(["hostile", "--kills", "1", "--connections", "1000"])
        #expect(short.limit(50e6) == 5e9 && short.limit(15e9) == 150e9 && long.limit(50e6) == 50e6)
    }

    @Test(arguments: [
        [], ["--connections", "100"], ["--kills", "30"], ["--connections", "1,2", "--kills", "1"],
        ["--connections", "1", "--kills", "1", "--gates", "peace"], ["load", "--connections", "1", "--kills", "1"],
    ])
    func `searchbench hostile refuses missing or invalid options`(_ arguments: [String]) {
        #expect(refusal { _ = try Options(["hostile"] + arguments) }?.isUsage == true)
    }
}
