import CPlatform
import EventLoop
import Glibc
import JSON
import SearchModel
import TestSupport
import Testing

@testable import Daemon

@Suite struct StartingTests {
    @Test func `with --ready-fd, of several new daemons one serves, and the others exit with 0`() async throws {
        try await onOwnThread {
            for _ in 1...5 {
                let directory = TemporaryDirectory()
                let arguments = ["--socket", directory.file("s"), "--ready-fd", "3"]
                let all = try (1...4).map { _ in try Searchd(arguments, in: directory) }
                for searchd in all { #expect(try searchd.readyText() == "R") }
                let pid = try TestClient(directory.file("s")).call("server/hello")["result"]?["pid"]?.int
                for searchd in all where pid != Int(searchd.pid) { #expect(try searchd.waitForExit() == 0) }
                let serving = try #require(all.first { pid == Int($0.pid) })
                #expect(try TestClient(directory.file("s")).call("server/ping")["result"] != nil)
                serving.signal(SIGTERM)
                #expect(try serving.waitForExit() == 0)
                #expect(directory.mode(of: "s") == nil)
            }
        }
    }

    @Test func `without --ready-fd, a second daemon on a socket fails, and its error names the socket`() async throws {
        try await onOwnThread {
            let directory = TemporaryDirectory()
            let first = try Searchd(["--socket", directory.file("s"), "--ready-fd", "3"], in: directory)
            _ = try first.readyText()
            let client = try TestClient(directory.file("s"))
            let second = try Searchd(["--socket", directory.file("s")], in: directory)
            #expect(try second.waitForExit() == StartError.Code.unavailable.rawValue)
            #expect(second.errors.contains(directory.file("s")))
            #expect(try client.call("server/ping")["result"] != nil)
            #expect(try TestClient(directory.file("s")).call("server/hello")["result"]?["pid"]?.int == Int(first.pid))
        }
    }

    @Test func `an invalid socket path is reported on standard error and on the pipe of --ready-fd`() async throws {
        try await onOwnThread {
            let directory = TemporaryDirectory()
            directory.write("precious", to: "file")
            directory.makeDirectory("open", mode: 0o777)
            let long = directory.file(String(repeating: "s", count: 100))
            let paths = ["file", "open/s", "missing/deeper/s"].map(directory.file) + ["/tmp/s", long]
            for path in paths {
                let searchd = try Searchd(["--socket", path, "--ready-fd", "3"], in: directory)
                let lines = try searchd.readyText().split(separator: "\n")
                #expect(lines.count == 2, "\(path)")
                #expect(try searchd.waitForExit() == StartError.Code.cannotCreate.rawValue)
                for line in lines { #expect(searchd.errors.contains("Z error: \(line)\n")) }
            }
            #expect(directory.contents(of: "file") == "precious")
        }
    }

    @Test func `an invalid option ends the program`() async throws {
        try await onOwnThread {
            let directory = TemporaryDirectory()
            let wrong = try Searchd(["--sokcet", "/x"], in: directory)
            #expect(try wrong.waitForExit() == StartError.Code.usage.rawValue)
            #expect(wrong.errors.contains("--sokcet"))
            let help = try Searchd(["--help"], in: directory)
            #expect(try help.waitForExit() == 0)
            #expect(help.output.contains("--ready-fd"))
            let version = try Searchd(["--version"], in: directory)
            #expect(try version.waitForExit() == 0)
            #expect(version.output == "searchd \(Version.program)\n")
        }
    }

    @Test func `the socket path is set by option, variable, runtime directory or configuration`() async throws {
        try await onOwnThread {
            let directory = TemporaryDirectory()
            directory.makeDirectory("run")
            var environment = ["XDG_RUNTIME_DIR": directory.file("run")]
            func served(_ arguments: [String], at name: String) throws {
                let searchd = try Searchd(arguments + ["--ready-fd", "3"], in: directory, environment: environment)
                #expect(try searchd.readyText() == "R")
                #expect(
                    try TestClient(directory.file(name)).call("server/hello")["result"]?["pid"]?.int == Int(searchd.pid)
                )
            }
            try served([], at: "run/searchd.sock")
            environment["SEARCHD_SOCKET"] = directory.file("variable")
            try served([], at: "variable")
            try served(["--socket", directory.file("option")], at: "option")
            directory.write("{ socket: \"\(directory.file("configured"))\" }", to: "config.json5")
            environment["SEARCHD_SOCKET"] = ""
            environment["SEARCHD_CONFIG"] = directory.file("config.json5")
            try served([], at: "configured")
        }
    }
}
