import CPlatform
import Glibc

/// The program searchbench: arguments in, exit status out.
package enum BenchmarkCommand {
    package static func run(_ arguments: [String]) -> Int32 {
        do throws(BenchmarkError) {
            switch arguments.first {
            case "echo-peer": throw try echoPeer(Array(arguments.dropFirst()))
            case "idle-peer": throw try IdlePeer.run(Array(arguments.dropFirst())) { put($0, on: 1) }
            case "hostile": return try hostile(Array(arguments.dropFirst()))
            default: break
            }
            let options = try Options(arguments: arguments)
            if options.help {
                print(Options.usage)
                return 0
            }
            return try compare(options)
        } catch {
            complain("searchbench: \(error.message)")
            if let hint = error.hint { complain(hint) }
            return error.code == .usage ? 2 : 70
        }
    }

    /// Serves until it fails.
    private static func echoPeer(_ arguments: [String]) throws(BenchmarkError) -> BenchmarkError {
        var reader = ArgumentReader(arguments)
        let values = try reader.values(of: ["--socket", "--bytes"], for: "echo-peer")
        let answerBytes = try ArgumentReader.number(values[1], of: "--bytes", 1...Options.answerBytesMax)
        return EchoPeer.run(socketPath: values[0], answerBytes: answerBytes)
    }

    private static func hostile(_ arguments: [String]) throws(BenchmarkError) -> Int32 {
        let options = try HostileOptions(arguments: arguments)
        if options.help {
            print(HostileOptions.usage)
            return 0
        }
        return try HostileCommand.run(options, report: { put($0, on: 1) }, progress: { complain($0) })
    }

    private static func compare(_ options: Options) throws(BenchmarkError) -> Int32 {
        try Cleanup.runWhenInterrupted()
        defer { Cleanup.run() }
        guard platform_raise_descriptor_limit() >= 2 * Scenario.connectionsMax else {
            throw BenchmarkError(.system, "too few descriptors are allowed", hint: "raise them: ulimit -n 16384")
        }
        let report = try Session(options).run { complain($0) }
        print(options.json ? report.json : report.text)
        if !report.failures.isEmpty { return 70 }
        return options.strict && report.verdicts.contains { !$0.passed } ? 1 : 0
    }

    /// Progress and errors go to standard error, the report to standard output.
    private static func complain(_ line: String) {
        put(line, on: 2)
    }

    /// Unbuffered, also into a file.
    private static func put(_ line: String, on descriptor: Int32) {
        let bytes = Array((line + "\n").utf8)
        // The count is that of the array; a failure can be reported nowhere else.
        _ = unsafe write(descriptor, bytes, bytes.count)
    }
}
