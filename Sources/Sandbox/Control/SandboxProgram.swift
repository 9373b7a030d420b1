package import EventLoop
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

    /// Prints one JSON line, from which a script learns the port and the keys.
    private static func printReady(_ server: SandboxServer, options: SandboxOptions) {
        let bases = API.all.map { JSONMember($0.name, .string("\(server.base)/\($0.name)")) }
        let line: JSONValue = [
            "port": .integer(Int(server.port)), "baseURL": .string(server.base), "bases": .object(bases),
            "keys": options.keys.json,
        ]
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

extension HTTPServer where Handler == SandboxResponder {
    /// More connections than these wait in the kernel until one closes.
    package static var connectionsMax: Int { 4096 }

    /// Listens and serves until `stop`; port 0 takes a free one.
    package static func start(
        on loop: EventLoop,
        port: UInt16 = 0,
        options: SandboxOptions = SandboxOptions(),
        connectionsMax: Int = SandboxServer.connectionsMax
    ) async throws(SystemError) -> SandboxServer {
        let responder = SandboxResponder(options: options)
        let server = try SandboxServer(on: loop, port: port, connectionsMax: connectionsMax, handler: responder)
        let base = server.base
        await server.change { $0.base = base }
        try await server.listen()
        return server
    }

    package var counts: SandboxCounts { handler.counts }

    package var options: SandboxOptions { handler.options }

    /// Changes options while it runs; what has been counted stays.
    package func change(_ body: @Sendable (inout SandboxOptions) -> Void) {
        body(&handler.options)
    }

    /// Forgets counts, quotas and faults.
    package func reset() {
        handler.reset()
    }
}

/// The command line of `searchd-sandbox`.
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
            case "--drift": options.quirks.totalsDrift = try Self.value(argument, &rest) != "off"
            case "--port": port = try Self.number(argument, &rest)
            case "--seed": options.seed = try Self.number(argument, &rest)
            case "--fault": options.faults.append(try FaultRule(argument: Self.value(argument, &rest)))
            case "--kakao-key": options.keys.kakao = [try Self.value(argument, &rest)]
            case "--google-key": options.keys.google = [try Self.value(argument, &rest)]
            case "--naver-key": options.keys.naver = [try Self.pair(argument, &rest)]
            case "--hub-key": options.keys.naverHub = [try Self.pair(argument, &rest)]
            case "--limit": try apply("limits", argument, &rest)
            case "--quirk": try apply("quirks", argument, &rest)
            case "--options":
                guard let document = try? JSONDocument(Array(try Self.value(argument, &rest).utf8)) else {
                    throw OptionsProblem("--options takes a JSON object")
                }
                try options.apply(document.root.value)
            default: throw OptionsProblem("unknown argument \(argument); --help lists the arguments")
            }
        }
    }

    private static func value(_ name: String, _ rest: inout ArraySlice<String>) throws(OptionsProblem) -> String {
        guard let value = rest.popFirst() else { throw OptionsProblem("\(name) takes a value") }
        return value
    }

    private static func number<Number: FixedWidthInteger>(
        _ name: String,
        _ rest: inout ArraySlice<String>
    ) throws(OptionsProblem) -> Number {
        guard let number = Number(try value(name, &rest)) else {
            throw OptionsProblem("\(name) takes a number from 0 to \(Number.max)")
        }
        return number
    }

    private static func pair(
        _ name: String,
        _ rest: inout ArraySlice<String>
    ) throws(OptionsProblem) -> SandboxKeys.KeyPair {
        let parts = try value(name, &rest).split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { throw OptionsProblem("\(name) takes ID:SECRET") }
        return SandboxKeys.KeyPair(id: String(parts[0]), secret: String(parts[1]))
    }

    /// Applies `NAME=VALUE` to one group of the options.
    private mutating func apply(
        _ group: String,
        _ name: String,
        _ rest: inout ArraySlice<String>
    ) throws(OptionsProblem) {
        let parts = try Self.value(name, &rest).split(separator: "=", maxSplits: 1)
        guard parts.count == 2 else { throw OptionsProblem("\(name) takes NAME=VALUE") }
        let change = JSONValue.object([JSONMember(String(parts[0]), FaultRule.value(parts[1]))])
        try options.apply(.object([JSONMember(group, change)]))
    }

    /// What `--help` prints.
    static var help: String {
        let keys = SandboxKeys()
        return """
            usage: searchd-sandbox [OPTION…]

            A mock server for the search APIs of Kakao, Naver (also API HUB), Google Books, iTunes, Wikipedia, Open
            Library and Hacker News. Listens on http://127.0.0.1 until TERM or INT. Each API is served under its name
            (\(API.all.map { "/\($0.name)" }.joined(separator: ", ")), /wikipedia/LANG) and without one.

              --port N              listen on this port; 0 (the default) takes a free one
              --print-port          print one line of JSON with port, base URLs and keys once it listens
              --seed N              make other documents
              --unlimited           no quotas and rates
              --limit NAME=N        one of \(SandboxLimits.names.joined(separator: ", "))
              --quirk NAME=VALUE    one of \(SandboxQuirks.usual.map(\.name).joined(separator: ", "))
              --drift on|off        whether totals move from call to call
              --fault SOURCE:NAME[:SHARE][,times=N][,milliseconds=N][,bytes=N][,status=N][,retryAfter=N][,location=URL]
                                    a share (0 to 1) of the requests to a source (kakao.blog, naver.*, *) fails
              --options JSON        everything at once, as /_sandbox/options shows it
              --kakao-key KEY       accepted instead of \(keys.kakao[0])
              --naver-key ID:SECRET accepted instead of \(keys.naver[0].id):\(keys.naver[0].secret)
              --hub-key ID:SECRET   accepted instead of \(keys.naverHub[0].id):\(keys.naverHub[0].secret)
              --google-key KEY      accepted instead of \(keys.google[0])

            While it runs:
              GET  /_sandbox/counts                        requests by source and status, faults by name
              POST /_sandbox/reset                         forget counts, quotas and faults
              GET  /_sandbox/options, POST with JSON       the options; POST changes those in the JSON
              GET  /_sandbox/faults?source=kakao.blog      the names of faults that a source can have
              GET  /_sandbox/truth?source=S&query=Q&sort=X all that a walk over the pages must find, in order

            A client that speaks https gets a TLS alert, as from a server whose TLS is broken.
            """
    }
}
