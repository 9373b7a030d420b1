import Testing

@testable import Benchmark

@Suite struct AgentPartTests {
    @Test func `only agents are measured when they are named`() throws {
        let options = try Options(arguments: ["agents", "--rounds", "2"])
        #expect(options.parts == [.agents] && options.peers == [.searchd] && options.rounds == 2)
        #expect(try !Options(arguments: []).parts.contains(.agents))
        #expect(try Options(arguments: ["--parts", "idle,agents"]).parts == [.idle, .agents])
    }

    @Test func `a program answers lines through pipes`() throws {
        let program = try PipedProgram("cat", [])
        #expect(try program.exchange(Array("line\n".utf8), times: 3) > 0)
    }
}
