import CPlatform
import EventLoop
import Glibc

/// The program searchbench: arguments in, exit status out.
package enum BenchmarkCommand {
    package static func run(_ arguments: [String]) -> Int32 {
        do {
            let rest = Array(arguments.dropFirst())
            switch arguments.first {
            case "echo-peer" where rest.count == 2:
                try EchoServer.run(socketPath: rest[0], answerBytes: max(1, Int(rest[1]) ?? 1))
                return 70
            case "crowd-peer":
                try CrowdPeer.run(rest) { put($0, on: 1) }
                return 0
            case "hostile": return try hostile(GateOptions(rest))
            default: return try compare(Options(arguments))
            }
        } catch let error as BenchmarkError {
            put("searchbench: \(error.message)", on: 2)
            if let hint = error.hint { put(hint, on: 2) }
            return error.isUsage ? 2 : 70
        } catch {
            put("searchbench: \(error)", on: 2)
            return 70
        }
    }

    private static func hostile(_ options: GateOptions) throws -> Int32 {
        if options.isHelp {
            put(Options.usage, on: 1)
            return 0
        }
        // Two attackers of each kind, and their successors.
        try prepare(descriptors: 4 * options.connections + 1_000)
        defer { Cleanup.run() }
        let stage = try Stage(programs: options.programs)
        var failures = 0
        for gate in options.gates {
            let begin = SystemCall.now
            for verdict in try gate.run(options, stage, say: { put("\(gate.rawValue): \($0)", on: 2) }) {
                put(verdict.line(passed: "held", missed: "FAILED"), on: 1)
                failures += verdict.passed ? 0 : 1
            }
            put("\(gate.rawValue): \((SystemCall.now - begin) / 1_000_000_000) s", on: 2)
        }
        put(failures == 0 ? "everything held" : "\(failures) properties did not hold", on: 1)
        return failures == 0 ? 0 : 1
    }

    private static func compare(_ options: Options) throws -> Int32 {
        if options.isHelp {
            put(Options.usage, on: 1)
            return 0
        }
        try prepare(descriptors: 2_100)
        defer { Cleanup.run() }
        let progress = { (line: String) in put(line, on: 2) }
        // Ranking needs no servers.
        let needsStage = options.chosen.contains { $0 != "ranking" }
        let stage = needsStage ? try Stage(programs: options.programs, against: options.against) : nil
        var (hasFailed, hasMissed) = (false, false)
        for part in options.chosen {
            let sections: [Section]
            switch (part, stage) {
            case ("load", let stage?): sections = try LoadPart.run(options, stage, progress: progress)
            case ("misses", let stage?): sections = try MissPart.run(options, stage, progress: progress)
            case ("start", let stage?): sections = try StartPart.run(options, stage, progress: progress)
            case ("library", let stage?): sections = try LibraryPart.run(options, stage, progress: progress)
            default: sections = [try RankingPart.run()]
            }
            for section in sections {
                put(section.text, on: 1)
                hasFailed = hasFailed || !section.failures.isEmpty
                hasMissed = hasMissed || section.verdicts.contains { !$0.passed }
            }
        }
        return hasFailed ? 70 : options.isStrict && hasMissed ? 1 : 0
    }

    private static func prepare(descriptors: Int) throws {
        try Cleanup.runWhenInterrupted()
        guard platform_raise_descriptor_limit() >= Int64(descriptors) else {
            throw BenchmarkError("too few descriptors are allowed", hint: "Raise them: ulimit -n \(descriptors)")
        }
    }

    /// Unbuffered, also into a file.
    private static func put(_ line: String, on descriptor: Int32) {
        let bytes = Array((line + "\n").utf8)
        // The count is that of the array; a failure can be reported nowhere else.
        _ = unsafe write(descriptor, bytes, bytes.count)
    }
}
