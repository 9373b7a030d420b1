import EventLoop
import Glibc
import HTTP
import JSON

/// The program `searchd-sandbox`, which serves the mock APIs until SIGTERM or SIGINT.
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
            if arguments.printsPort { printReady(server, keys: await server.options.keys) }
        } catch {
            fail("\(error)", status: 69)
        }
    }

    private static func printReady(_ server: SandboxServer, keys: SandboxKeys) {
        let bases = API.all.map { JSONMember($0.name, .string("\(server.base)/\($0.name)")) }
        let line: JSONValue = [
            "port": .integer(Int(server.port)), "baseURL": .string(server.base), "bases": .object(bases),
            "keys": keys.json,
        ]
        print(String(decoding: line.bytes, as: UTF8.self))
        fflush(nil)
    }

    private static func fail(_ message: String, status: Int32) -> Never {
        let line = Array("searchd-sandbox: \(message)\n".utf8)
        // The bytes of the array are valid during the call.
        _ = unsafe line.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
        exit(status)
    }
}

struct SandboxArguments: Equatable, Sendable {
    var port: UInt16 = 0
    var printsPort = false
    var wantsHelp = false
    var options = SandboxOptions()

    init(_ arguments: [String]) throws(OptionsProblem) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": wantsHelp = true
            case "--print-port": printsPort = true
            case "--unlimited": options.limits = .none
            case "--port":
                guard let port = UInt16(try Self.value(argument, &rest)) else {
                    throw OptionsProblem("--port needs a number from 0 to 65535")
                }
                self.port = port
            case "--options":
                guard let document = try? JSONDocument(Array(try Self.value(argument, &rest).utf8)) else {
                    throw OptionsProblem("--options needs a JSON object")
                }
                try options.apply(document.root.value)
            default: throw OptionsProblem("unknown argument \(argument); --help lists the arguments")
            }
        }
    }

    private static func value(_ name: String, _ rest: inout ArraySlice<String>) throws(OptionsProblem) -> String {
        guard let value = rest.popFirst() else { throw OptionsProblem("\(name) needs a value") }
        return value
    }

    static let help = """
        usage: searchd-sandbox [OPTION…]

        A mock server for the APIs of all sources. It listens on 127.0.0.1 until SIGTERM or SIGINT. The base URL of an
        API is http://127.0.0.1:PORT with the path of the API. The paths are
        \(API.all.map { "/\($0.name)" }.joined(separator: ", ")).
        For Wikipedia, the path is /wikipedia/LANG. Most APIs also work without a path.

          --port N        listen on this port; 0 (the default) chooses a free port
          --print-port    when the server is ready, print one line of JSON with the port, base URLs and keys
          --unlimited     do not enforce quotas and rates
          --options JSON  {seed, keys: {kakao: [KEY], naver: [{id, secret}], …}, limits: {NAME: N or null} or null,
                          quirks: {totalsDrift, callsPerNewDocument, pricePercent}, faults: [{source: "naver.*" or …, name,
                          share: 0 to 1, times, milliseconds, bytes, status, retryAfter, location}]}

        While it runs:
          GET  /_sandbox/counts                        return requests by source and status, and faults by name
          POST /_sandbox/reset                         clear counts, used quotas and faults
          POST /_sandbox/options with JSON             change the options in the JSON
          GET  /_sandbox/faults?source=kakao.blog      return the names of the faults that a source can have

        The server does not support https. An https client gets a TLS alert.
        """
}
