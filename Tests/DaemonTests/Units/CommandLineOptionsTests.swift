import SearchModel
import Testing

@testable import Daemon

@Suite struct CommandLineOptionsTests {
    private func problem(_ words: String...) -> String? {
        do throws(CommandLineOptions.Problem) {
            _ = try CommandLineOptions(words)
            return nil
        } catch {
            return error.message
        }
    }

    @Test func `without options the daemon serves with the defaults`() throws {
        #expect(try CommandLineOptions([]) == CommandLineOptions())
        #expect(CommandLineOptions().action == .serve)
    }

    @Test func `a value is the next word or follows an equals sign`() throws {
        let options = try CommandLineOptions([
            "--socket", "/s", "--config=/c=1", "--state", "/st", "--cache=/ca", "--ready-fd", "3", "--verbose",
        ])
        #expect(options.socket == "/s")
        #expect(options.configuration == "/c=1")
        #expect(options.state == "/st")
        #expect(options.cache == "/ca")
        #expect(options.readyDescriptor == 3)
        #expect(options.logLevel == .debug)
        #expect(options.action == .serve)
    }

    @Test func `relative paths start at the working directory`() throws {
        let words = ["--socket", "s", "--config=./c.json5", "--state", "../st", "--cache=/ca"]
        let options = try CommandLineOptions(words, in: "/work")
        #expect(options.socket == "/work/s")
        #expect(options.configuration == "/work/./c.json5")
        #expect(options.state == "/work/../st")
        #expect(options.cache == "/ca")
    }

    @Test func `an unknown log level is refused, and the error lists the known levels`() throws {
        #expect(try CommandLineOptions(["--log-level", "warning"]).logLevel == .warning)
        #expect(problem("--log-level", "loud")?.contains("error, warning, notice, info, debug") == true)
    }

    @Test func `--check-source takes a file, and --try takes a query`() throws {
        let options = try CommandLineOptions(["--check-source", "a=b.json5", "--try", " 고양이  사료 ", "--config=/c"])
        #expect(options.action == .checkSource(file: "a=b.json5"))
        #expect(options.query == SearchQuery("고양이 사료"))
        #expect(options.configuration == "/c")
        #expect(try CommandLineOptions(["--try", "x", "--check-source=f"]).action == .checkSource(file: "f"))
    }

    @Test(arguments: [
        ["--check-source"], ["--check-source", ""], ["--try", "x"], ["--check", "--try", "x"],
        ["--check-source", "f", "--try"], ["--check-source", "f", "--try", " "],
        ["--check-source", "f", "--try", String(repeating: "x", count: SearchQuery.bytesMax + 1)],
    ])
    func `--try without a file to check, or without a query, is refused`(words: [String]) {
        #expect(throws: CommandLineOptions.Problem.self) { try CommandLineOptions(words) }
    }

    @Test(
        arguments: [
            ("--check", .check), ("--help", .help), ("-h", .help), ("--version", .version),
        ] as [(String, CommandLineOptions.Action)]
    )
    func `--check, --help and --version take no value`(word: String, action: CommandLineOptions.Action) throws {
        #expect(try CommandLineOptions([word]).action == action)
        #expect(problem("\(word)=yes")?.contains(word) == true)
    }

    @Test func `the error names the invalid option`() {
        #expect(problem("--sokcet", "/s")?.contains("--sokcet") == true)
        #expect(problem("serve")?.contains("serve") == true)
        #expect(problem("") != nil)
        for word in ["--socket", "--config", "--state", "--cache", "--ready-fd"] {
            for problem in [problem(word), problem("\(word)="), problem(word, "")] {
                #expect(problem?.contains(word) == true)
            }
        }
        for number in ["2", "-1", "three", "3.0", "99999999999"] {
            #expect(problem("--ready-fd", number)?.contains("above 2") == true, "\(number)")
        }
    }
}
