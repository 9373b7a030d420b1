import CPlatform
import Glibc
import SearchModel

/// The program `searchd`: runs the daemon, or a check that an option requests.
package enum DaemonProgram {
    /// Returns the exit status; `words` are the arguments after the program's name.
    package static func run(_ words: some Collection<String>) -> Int32 {
        _ = signal(SIGPIPE, SIG_IGN)
        let options: CommandLineOptions
        do throws(CommandLineOptions.Problem) {
            options = try CommandLineOptions(words, in: ProcessEnvironment.workingDirectory())
        } catch {
            report(error.message)
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
        // Only the event loop may receive these signals, so they are blocked before any thread starts.
        let signals = [SIGTERM, SIGINT, SIGHUP]
        // The array is valid until the call returns.
        _ = unsafe signals.withUnsafeBufferPointer { unsafe platform_block_signals($0.baseAddress, Int32($0.count)) }
        // Other programs must not read the memory of the process, because it contains keys.
        let sink = StandardErrorSink(.current())
        if platform_protect_process() != 0 {
            sink.write(LogRecord(.warning, "other programs of this user can read the memory of searchd"))
        }
        let pipe = ReadyPipe(options.readyDescriptor)
        do throws(StartError) {
            return try DaemonRun(options, pipe).run(signals: signals)
        } catch {
            for line in [error.message, error.hint] { sink.write(LogRecord(.error, line)) }
            pipe.failed(error)
            return error.code.rawValue
        }
    }

    private static func report(_ line: String) {
        var text = "searchd: \(line)\n"
        // The text is valid during the call.
        _ = text.withUTF8 { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
