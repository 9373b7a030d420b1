import CPlatform
import EventLoop
import Glibc

/// The program `searchbench`, which measures searchd or attacks it.
package enum BenchmarkCommand {
    package static func run(_ arguments: [String]) -> Int32 {
        do {
            let rest = Array(arguments.dropFirst())
            switch arguments.first {
            case "echo-peer" where rest.count == 2:
                try EchoServer.run(socketPath: rest[0], answerBytes: max(1, Int(rest[1]) ?? 1))
                return 70
            case "crowd-peer" where rest.count == 2:
                try FairShareGate.wait(rest[0], connections: max(1, Int(rest[1]) ?? 1)) { put($0, on: 1) }
                return 70
            default: return try measure(Options(arguments))
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

    private static func measure(_ options: Options) throws -> Int32 {
        if options.isHelp {
            put(Options.usage, on: 1)
            return 0
        }
        try prepare(descriptors: 4 * (options.connections.max() ?? 0) + 1_000)
        defer { Cleanup.run() }
        let environment = options.chosen == ["ranking"] ? nil : try BenchmarkEnvironment(programs: options.programs)
        var (hasFailed, hasMissed) = (false, false)
        for part in options.chosen + (options.isHostile ? options.gates.map(\.rawValue) : []) {
            for section in try sections(of: part, options, environment) {
                put(section.text, on: 1)
                hasFailed = hasFailed || !section.failures.isEmpty
                hasMissed = hasMissed || section.verdicts.contains { !$0.passed }
            }
        }
        return hasFailed ? 70 : (options.isStrict || options.isHostile) && hasMissed ? 1 : 0
    }

    private static func sections(of part: String, _ options: Options, _ environment: BenchmarkEnvironment?) throws
        -> [Section]
    {
        guard let environment, part != "ranking" else { return [try RankingPart.run()] }
        let progress = { (line: String) in put("\(part): \(line)", on: 2) }
        if options.isHostile, let gate = Gate(rawValue: part) {
            return [Section(title: "Hostile: \(part)", verdicts: try gate.run(options, environment, say: progress))]
        }
        return switch part {
        case "load": try LoadPart.run(options, environment, progress: progress)
        case "misses": try UncachedPart.run(options, environment, progress: progress)
        case "start": try StartPart.run(options, environment, progress: progress)
        default: try LibraryPart.run(options, environment, progress: progress)
        }
    }

    private static func prepare(descriptors: Int) throws {
        try Cleanup.runWhenInterrupted()
        guard platform_raise_descriptor_limit() >= Int64(descriptors) else {
            throw BenchmarkError("the limit of open files is too low", hint: "Raise it: ulimit -n \(descriptors)")
        }
    }

    private static func put(_ line: String, on descriptor: Int32) {
        let bytes = Array((line + "\n").utf8)
        // The count is the length of the array. An error cannot be reported.
        _ = unsafe write(descriptor, bytes, bytes.count)
    }
}

package struct BenchmarkError: Error {
    package let message: String
    package let hint: String?
    package let isUsage: Bool

    package init(_ message: String, hint: String? = nil, isUsage: Bool = false) {
        (self.message, self.hint, self.isUsage) = (message, hint, isUsage)
    }
}
