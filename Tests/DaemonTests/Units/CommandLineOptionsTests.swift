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

    @Test func `without words it serves with the defaults`() throws {
        #expect(try CommandLineOptions([]) == CommandLineOptions())
        #expect(CommandLineOptions().action == .serve)
    }

    @Test func `values come as the next word or behind a sign`() throws {
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

    @Test func `paths begin where the program was started`() throws {
        let words = ["--socket", "s", "--config=./c.json5", "--state", "../st", "--cache=/ca"]
        let options = try CommandLineOptions(words, in: "/work")
        #expect(options.socket == "/work/s")
        #expect(options.configuration == "/work/./c.json5")
        #expect(options.state == "/work/../st")
        #expect(options.cache == "/ca")
    }

    @Test func `the level of the log is one of those there are`() throws {
        #expect(try CommandLineOptions(["--log-level", "warning"]).logLevel == .warning)
        #expect(problem("--log-level", "loud") == "--log-level needs one of error, warning, notice, info, debug")
    }

    @Test(
        arguments: [
            ("--check", .check), ("--help", .help), ("-h", .help), ("--version", .version),
        ] as [(String, CommandLineOptions.Action)]
    )
    func `an action is a word alone`(word: String, action: CommandLineOptions.Action) throws {
        #expect(try CommandLineOptions([word]).action == action)
        #expect(problem("\(word)=yes") == "\(word) takes no value")
    }

    @Test func `what is wrong is named`() {
        #expect(problem("--sokcet", "/s")?.contains("--sokcet") == true)
        #expect(problem("serve")?.contains("serve") == true)
        #expect(problem("")?.contains("is not known") == true)
        for word in ["--socket", "--config", "--state", "--cache", "--ready-fd"] {
            #expect(problem(word) == "\(word) needs a value")
            #expect(problem("\(word)=") == "\(word) needs a value")
            #expect(problem(word, "") == "\(word) needs a value")
        }
        for number in ["2", "-1", "three", "3.0", "99999999999"] {
            #expect(problem("--ready-fd", number)?.contains("above 2") == true, "\(number)")
        }
    }

    @Test func `every option is in the help`() {
        for word in [
            "--socket", "--config", "--state", "--cache", "--check", "--log-level", "--verbose", "--ready-fd",
            "--version",
        ] {
            #expect(CommandLineOptions.help.contains("  \(word)"))
        }
    }
}
