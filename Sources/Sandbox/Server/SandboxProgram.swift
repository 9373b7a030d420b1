import EventLoop
import Glibc
import JSON

/// The program `searchd-sandbox`: serves until TERM or INT.
package enum SandboxProgram {
    package static func run(_ arguments: [String]) -> Never {
        do throws(OptionsProblem) {
            let parsed = try SandboxArguments(arguments)
            if parsed.wantsHelp {
                print(SandboxArguments.help)
                exit(0)
            }
            serve(parsed)
        } catch {
            fail(error.message, status: 2)
        }
    }

    private static func serve(_ arguments: SandboxArguments) -> Never {
        do throws(SystemError) {
            let loop = try EventLoop()
            Task(executorPreference: loop) { await start(arguments, on: loop) }
            loop.run()
            exit(0)
        } catch {
            fail("\(error)", status: 70)
        }
    }

    private static func start(_ arguments: SandboxArguments, on loop: EventLoop) async {
        do throws(SystemError) {
            let server = try await SandboxServer.start(on: loop, port: arguments.port, options: arguments.options)
            try await server.stopAtSignals()
            if arguments.printsPort { printReady(server, options: await server.options) }
        } catch {
            fail("\(error)", status: 69)
        }
    }

    /// One JSON line, so that a script knows where to go and with which keys.
    private static func printReady(_ server: SandboxServer, options: SandboxOptions) {
        let bases = Upstream.allCases.map { JSONMember($0.rawValue, .string("\(server.base)/\($0.rawValue)")) }
        let line = Body.object([
            "port": .integer(Int(server.port)), "baseURL": .string(server.base), "bases": .object(bases),
            "keys": options.keys.json,
        ])
        print(String(decoding: Body.plain.bytes(line), as: UTF8.self))
        fflush(nil)
    }

    private static func fail(_ message: String, status: Int32) -> Never {
        let line = Array("searchd-sandbox: \(message)\n".utf8)
        // Writes the array's bytes, which live through the call.
        _ = unsafe line.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
        exit(status)
    }
}

extension SandboxServer {
    /// Lets TERM and INT stop the server and its loop.
    func stopAtSignals() throws(SystemError) {
        signals = try SignalWatch([SIGTERM, SIGINT], on: loop) { [weak self] _ in
            self?.onLoop {
                $0.stop()
                $0.loop.stop()
            }
        }
    }
}
