import Testing

@testable import Benchmark

@Suite struct OptionsTests {
    @Test func `the peers take turns within a scenario`() throws {
        let options = try Options(arguments: ["--peers", "echo,redis", "--connections", "4", "--rounds", "2"])
        let steps = options.plan.steps.filter { $0.scenario == Scenario(connections: 4) }
        #expect(steps.map(\.peer) == [.redis, .echo, .redis, .echo])
        #expect(steps.map(\.round) == [0, 0, 1, 1])
    }

    @Test func `deep scenarios follow the flat ones`() throws {
        let options = try Options(arguments: ["--connections", "1,2", "--deep-connections", "3", "--depth", "5"])
        #expect(
            options.plan.scenarios == [
                Scenario(connections: 1), Scenario(connections: 2), Scenario(connections: 3, depth: 5),
            ]
        )
        #expect(options.plan.scenarios.map(\.name) == ["1 connection", "2 connections", "3 connections, 5 deep"])
    }

    @Test func `warming takes a fifth, and not longer than it must`() throws {
        #expect(try Options(arguments: ["--seconds", "0.5"]).plan.warming == .milliseconds(100))
        #expect(try Options(arguments: ["--seconds", "60"]).plan.warming == .milliseconds(300))
    }

    @Test func `quick is only a beginning`() throws {
        let options = try Options(arguments: ["--quick", "--rounds", "9", "--json", "--strict"])
        #expect(options.rounds == 9)
        #expect(options.seconds == 0.25)
        #expect(options.json)
        #expect(options.strict)
    }

    @Test func `limits can be reached`() throws {
        let options = try Options(arguments: ["--connections", "1,4096", "--depth", "64", "--bytes", "131072"])
        #expect(options.connections == [1, 4096])
        #expect(options.depth == 64)
        #expect(options.answerBytes == 131_072)
    }

    @Test(arguments: [
        ["--connections", "4097"], ["--connections", "0"], ["--connections", "1,,2"], ["--connections"],
        ["--depth", "65"], ["--bytes", "131073"], ["--rounds", "1001"], ["--starts", "0"], ["--seconds", "nan"],
        ["--seconds", "601"], ["--peers", "redis,redis"], ["--peers", "memcached"], ["--parts", ""], ["--fast"],
        ["fast"],
    ])
    func `what is wrong is refused with a hint`(_ arguments: [String]) {
        #expect {
            _ = try Options(arguments: arguments)
        } throws: { error in
            guard let error = error as? BenchmarkError else { return false }
            return error.code == .usage && error.hint != nil && !error.message.isEmpty
        }
    }

    @Test func `Redis is asked in its own words`() {
        #expect(RedisWire.command(["GET", "고"]) == Array("*2\r\n$3\r\nGET\r\n$3\r\n고\r\n".utf8))
        let answer = Array("$4096\r\n".utf8) + [UInt8](repeating: 120, count: 4_096) + [13, 10]
        #expect(RedisWire.bulkBytes(4_096) == answer.count)
    }
}
