import CPlatform
import EventLoop
import Glibc
import SearchModel

/// The program `searchd`.
package enum DaemonProgram {
    /// Runs the program to its end.
    ///
    /// - Parameter words: The command line without the program's name.
    /// - Returns: The exit status.
    package static func run(_ words: some Collection<String>) -> Int32 {
        // The only code that ignores it: a peer that goes away is an error of the write, not the end of the program.
        _ = signal(SIGPIPE, SIG_IGN)
        let options: CommandLineOptions
        do throws(CommandLineOptions.Problem) {
            options = try CommandLineOptions(words, in: ProcessEnvironment.workingDirectory())
        } catch {
            report("searchd: \(error.message)")
            return StartError.Code.usage.rawValue
        }
        switch options.action {
        case .help: print(CommandLineOptions.help)
        case .version: print("searchd \(Version.program)")
        case .check: return ConfigurationCheck.run(options)
        case .checkSource(let file): return SourceCheck(file: file, query: options.query, options).run()
        case .serve: return serve(options)
        }
        return 0
    }

    private static func serve(_ options: CommandLineOptions) -> Int32 {
        // Before any thread starts, so that none can take them instead of the loop.
        let signals = [SIGTERM, SIGINT, SIGHUP]
        _ = unsafe signals.withUnsafeBufferPointer { unsafe platform_block_signals($0.baseAddress, Int32($0.count)) }
        // Keys stand in its memory.
        if platform_protect_process() != 0 { report("searchd: its memory can be read by the user's other programs") }
        let pipe = ReadyPipe(options.readyDescriptor)
        do throws(StartError) {
            let status = try DaemonRun(options, pipe).run(signals: signals)
            return status
        } catch {
            report("searchd: \(error.message)")
            report("searchd: \(error.hint)")
            pipe.failed(error)
            return error.code.rawValue
        }
    }

    private static func report(_ line: String) {
        var text = line + "\n"
        _ = text.withUTF8 { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
