import JSON
import SearchModel
import TestSupport
import Testing

@testable import Client

struct CommandLineParserTests {
    private func arguments(_ words: String...) throws -> Arguments {
        guard case .run(_, let arguments) = try CommandLineParser.parse(words, commands: CommandTable.commands) else {
            throw ClientError(.usage, "not a command")
        }
        return arguments
    }

    private func failure(_ words: String...) -> ClientError? {
        do throws(ClientError) {
            _ = try CommandLineParser.parse(words, commands: CommandTable.commands)
            return nil
        } catch {
            return error
        }
    }

    @Test func `options may be before, between or after the words`() throws {
        let arguments = try arguments("search", "-n", "5", "고양이", "--sort=title", "사료", "--fresh")
        #expect(arguments.words == ["고양이", "사료"])
        #expect(arguments.number(.limit) == 5)
        #expect(arguments.text(.sort) == "title")
        #expect(arguments.has(.fresh))
        #expect(!arguments.has(.offline))
    }

    @Test(arguments: [["-n7"], ["-n", "7"], ["-n=7"], ["--limit", "7"], ["--limit=7"], ["-n", "3", "-n", "7"]])
    func `an option's value is in the same or the next word, and the last value is used`(words: [String]) throws {
        let request = try CommandLineParser.parse(["search", "x"] + words, commands: CommandTable.commands)
        guard case .run(_, let arguments) = request else { throw ClientError(.usage, "not a command") }
        #expect(arguments.number(.limit) == 7)
    }

    @Test func `words after two dashes are not options`() throws {
        let arguments = try arguments("search", "--", "--fresh", "-n", "--")
        #expect(arguments.words == ["--fresh", "-n", "--"])
        #expect(!arguments.has(.fresh))
    }

    @Test func `common options may also precede the command`() throws {
        let arguments = try arguments("--socket", "/a/b", "--no-start", "ping")
        #expect(arguments.text(.socket) == "/a/b")
        #expect(arguments.has(.noStart))
    }

    @Test(arguments: [("serch", "search"), ("statsu", "status"), ("pign", "ping"), ("cal", "call"), ("stat", "status")])
    func `the error for an unknown command suggests the most similar command`(word: String, meant: String) {
        let failure = failure(word, "x")
        #expect(failure?.code == .usage)
        #expect(failure?.hint == "Did you mean “\(meant)”?")
    }

    @Test func `the error for an unknown command suggests a search for the typed words, without options`() {
        let hint = failure("lentils", "carrots", "--help")?.hint ?? ""
        #expect(hint.contains("“searchctl search lentils carrots”"))
    }

    @Test(arguments: [
        ("--limt", "limit"), ("--sources", "source"), ("--no-strat", "no-start"), ("--off-line", "offline"),
    ])
    func `the error for an unknown option suggests the most similar option`(word: String, meant: String) {
        #expect(failure("search", "x", word)?.hint == "Did you mean “--\(meant)”?")
    }

    @Test(arguments: [
        ["search"], ["ping", "x"], ["call"], ["call", "a", "{}", "x"], ["search", "x", "-n"],
        ["search", "x", "-n", "0"],
        ["search", "x", "-n", "1001"], ["search", "x", "-n", "five"], ["search", "x", "--sort", "best"],
        ["search", "x", "--timeout", "soon"], ["search", "x", "--fresh=yes"], ["search", "x", "-Z"],
        ["search", "x", "--source="], ["--fresh", "search", "x"], ["ping", "--limit", "3"], [],
    ])
    func `an invalid command line is refused`(words: [String]) {
        #expect(throws: ClientError.self) { try CommandLineParser.parse(words, commands: CommandTable.commands) }
    }

    @Test func `--help and --version work without arguments and without a command`() throws {
        let commands = CommandTable.commands
        guard case .help(nil, all: false) = try CommandLineParser.parse(["--help"], commands: commands),
            case .help(let command?, all: false) = try CommandLineParser.parse(["search", "-h"], commands: commands),
            case .help(nil, all: false) = try CommandLineParser.parse(["help"], commands: commands),
            case .help(.some, all: false) = try CommandLineParser.parse(["help", "ping"], commands: commands),
            case .version = try CommandLineParser.parse(["search", "--version"], commands: commands)
        else {
            Issue.record("parsed as another request")
            return
        }
        #expect(command.name == "search")
    }
}

struct HelpTests {
    @Test func `the program's help fits 80 columns and 24 lines, and names every common command`() {
        let help = Help.text(of: Run.commands, columns: 80)
        #expect(help.split(separator: "\n", omittingEmptySubsequences: false).count <= 24)
        #expect(help.hasPrefix("Usage: searchctl COMMAND"))
        let words = help.split { " ,\n".contains($0) }
        for command in Run.commands where !command.isHidden && command.group != .seldom {
            #expect(words.contains(Substring(command.name)))
        }
    }

    @Test(arguments: Run.commands.map(\.name))
    func `the help of a command shows all its options and examples`(name: String) throws {
        let command = try #require(Run.commands.first { $0.name == name })
        let help = Help.text(of: command, columns: 120, all: true)
        #expect(help.hasPrefix("Usage: searchctl \(name)"))
        for option in command.options + CommandOption.common { #expect(help.contains("--\(option.name)")) }
        let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for example in command.examples {
            #expect(words.contains(example.split(separator: " ").joined(separator: " ")))
        }
        for detail in command.details { #expect(detail.hasSuffix("."), "\(detail)") }
    }

    @Test(arguments: Run.commands.map(\.name), [60, 80, 120, 200])
    func `no line of help is wider than the terminal, and no word is broken`(name: String, columns: Int) throws {
        let command = try #require(Run.commands.first { $0.name == name })
        let whole = Help.text(of: command, columns: columns, all: true)
        for help in [whole, Help.text(of: Run.commands, columns: columns)] {
            for line in help.split(separator: "\n") { #expect(Layout.width(String(line)) <= columns, "\(line)") }
        }
        let unbroken = Help.text(of: command, columns: 1000, all: true)
        #expect(whole.split(whereSeparator: \.isWhitespace) == unbroken.split(whereSeparator: \.isWhitespace))
    }

    @Test func `“searchctl --help all” has a line for each command`() throws {
        guard case .help(nil, all: true) = try CommandLineParser.parse(["--help", "all"], commands: Run.commands) else {
            Issue.record("not help with all")
            return
        }
        let lines = Help.text(of: Run.commands, columns: 120, all: true).split(separator: "\n")
        for command in Run.commands where !command.isHidden {
            #expect(lines.contains { $0.contains(" \(command.name) ") && $0.hasSuffix(command.summary) })
        }
    }

    @Test func `the help of “search” shows ten options and how to list the others`() throws {
        let search = try #require(Run.commands.first { $0.name == "search" })
        let help = Help.text(of: search, columns: 80)
        #expect(CommandOption.ofSearch.count { help.contains("--\($0.name)") } == 10)
        #expect(help.contains("“searchctl search --help all” lists \(CommandOption.ofSearch.count - 10) more options."))
    }

    @Test func `a removed option is an error that names its replacement`() throws {
        let removed = [
            (["live", "--plain"], "searchctl search"), (["again", "--missed"], "again --fresh"),
            (["search", "x", "--format", "alfred"], "--format json"), (["search", "x", "--json=1"], "“--json”"),
            (["search", "x", "--long"], "searchctl show N"),
        ]
        for (words, replacement) in removed {
            let error = #expect(throws: ClientError.self) {
                try CommandLineParser.parse(words, commands: Run.commands)
            }
            #expect(error?.code == .usage && error?.hint?.contains(replacement) == true)
        }
    }

    @Test(arguments: Run.commands.map(\.name))
    func `no two options of a command share a name or letter`(name: String) throws {
        let command = try #require(Run.commands.first { $0.name == name })
        let options = command.options + CommandOption.common
        #expect(Set(options.map(\.name)).count == options.count)
        let letters = options.compactMap(\.letter)
        #expect(Set(letters).count == letters.count)
    }

    @Test func `every example in the help is a valid command line, unless it has shell syntax`() throws {
        for command in Run.commands {
            for example in command.examples where !example.contains(where: { "'|<".contains($0) }) {
                let line = example.split(separator: " ").drop { $0 == "sudo" }
                let words = line.dropFirst().prefix { $0 != "||" }.map(String.init)
                _ = try CommandLineParser.parse(words, commands: Run.commands)
            }
        }
    }
}

struct ExitStatusTests {
    @Test(arguments: [
        (ClientError.Code.usage, Int32(2)), (.noDaemon, 69), (.connectionLost, 69), (.protocolViolated, 70),
        (.interrupted, 130), (.outputClosed, 0), (.system, 70),
    ])
    func `the client's errors have the specified exit statuses`(code: ClientError.Code, number: Int32) {
        #expect(ExitStatus(of: ClientError(code, "")).number == number)
    }

    @Test(arguments: [
        (SearchError.Kind.invalidParams, Int32(2)), (.unknownSource, 2), (.invalidRequest, 2), (.methodNotFound, 2),
        (.duplicateId, 2), (.tooDeep, 2), (.lineTooLong, 2), (.parseError, 2), (.internal, 70), (.rateLimited, 75),
        (.quotaExhausted, 75), (.unavailable, 75), (.badResponse, 75), (.timeout, 75), (.overloaded, 75),
        (.shuttingDown, 75), (.superseded, 75), (.forbidden, 77), (.limitReached, 77), (.unauthorized, 77),
        (.notConfigured, 78),
        (.notFound, 1), (.cancelled, 130),
    ])
    func `the daemon's errors have the specified exit statuses`(kind: SearchError.Kind, number: Int32) {
        #expect(ExitStatus(of: ClientError(.init(kind), "")).number == number)
    }

    @Test func `an unknown error is temporary only if the daemon marks it as retryable`() {
        let code = ClientError.Code(rawValue: "somethingNew")
        #expect(ExitStatus(of: ClientError(code, "", isRetryable: true)) == .tryLater)
        #expect(ExitStatus(of: ClientError(code, "", isRetryable: false)) == .defect)
        #expect(ExitStatus(of: ClientError(code, "")) == .defect)
    }
}

struct FieldTests {
    @Test(arguments: [("titel", "title"), ("Title", "title"), ("ulr", "url"), ("extr", "extra")])
    func `the error for an unknown member suggests the most similar member`(path: String, meant: String) throws {
        let run = Run("search", "x", "--field", "url", "--field", path, in: TemporaryDirectory())
        #expect(run.status == .usage)
        #expect(run.errors.contains("hits have no member “\(path)”. Did you mean “\(meant)”?"))
    }

    @Test func `the error for several members in one --field says how to write them`() {
        let run = Run("search", "x", "--field", "url,id", in: TemporaryDirectory())
        #expect(run.errors.contains("Repeat --field: --field url --field id."))
    }
}
