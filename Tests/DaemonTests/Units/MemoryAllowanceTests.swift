import Testing

@testable import Daemon

@Suite struct MemoryAllowanceTests {
    private static let group = "0::/system.slice/searchd.service\n"

    private func allowance(_ files: [String: String], group: String = Self.group) -> MemoryAllowance {
        MemoryAllowance(group: group) { files[$0] }
    }

    @Test func `the memory limit is the lowest limit of the control group and its parents`() {
        let unit = "/sys/fs/cgroup/system.slice/searchd.service"
        #expect(allowance([:]).bytes == nil)
        #expect(allowance(["\(unit)/memory.max": "max\n", "\(unit)/memory.high": "max\n"]).bytes == nil)
        #expect(
            allowance(["\(unit)/memory.max": "536870912\n", "\(unit)/memory.high": "402653184\n"]).bytes == 384 << 20
        )
        #expect(allowance(["/sys/fs/cgroup/system.slice/memory.max": "1000\n"]).bytes == 1000)
        #expect(allowance(["\(unit)/memory.max": "5\n"], group: "12:memory:/x\n").bytes == nil)
    }

    @Test func `a cache that is too large is reported, and the hint shows the line to write`() throws {
        let unit = "/sys/fs/cgroup/system.slice/searchd.service"
        let memory = allowance(["\(unit)/memory.high": "402653184\n"])
        #expect(memory.problem(cacheBytes: 64 << 20, file: nil) == nil)
        #expect(memory.problem(cacheBytes: 76 << 20, file: nil) == nil)
        let problem = try #require(memory.problem(cacheBytes: 512 << 20, file: "/etc/x.json5"))
        #expect(problem.message.contains("512 MiB") && problem.message.contains("384 MiB"))
        #expect(problem.hint.contains("memory: { cacheBytes: \"76MiB\" } in /etc/x.json5"))
        #expect(allowance([:]).problem(cacheBytes: .max / 8, file: nil) == nil)
    }
}
