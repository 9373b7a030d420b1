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

    @Test func `options stand before, between and behind the words`() throws {
        let arguments = try arguments("search", "-n", "5", "고양이", "--sort=title", "사료", "--fresh")
        #expect(arguments.words == ["고양이", "사료"])
        #expect(arguments.number(.limit) == 5)
        #expect(arguments.text(.sort) == "title")
        #expect(arguments.has(.fresh))
        #expect(!arguments.has(.offline))
    }

    @Test(arguments: [["-n7"], ["-n", "7"], ["-n=7"], ["--limit", "7"], ["--limit=7"], ["-n", "3", "-n", "7"]])
    func `a value is attached, or the next word, and the last one counts`(words: [String]) throws {
        let request = try CommandLineParser.parse(["search", "x"] + words, commands: CommandTable.commands)
        guard case .run(_, let arguments) = request else { throw ClientError(.usage, "not a command") }
        #expect(arguments.number(.limit) == 7)
    }

    @Test func `a repeatable option keeps every value in order`() throws {
        let arguments = try arguments("search", "-s", "kakao.*", "x", "--source=naver.blog", "-siTunes")
        #expect(arguments.texts(.source) == ["kakao.*", "naver.blog", "iTunes"])
    }

    @Test func `two dashes end the options`() throws {
        let arguments = try arguments("search", "--", "--fresh", "-n", "--")
        #expect(arguments.words == ["--fresh", "-n", "--"])
        #expect(!arguments.has(.fresh))
    }

    @Test func `a single dash is a word`() throws {
        #expect(try arguments("call", "-").words == ["-"])
    }

    @Test func `options of every command stand before the command too`() throws {
        let arguments = try arguments("--socket", "/a/b", "--no-start", "ping")
        #expect(arguments.text(.socket) == "/a/b")
        #expect(arguments.has(.noStart))
    }

    @Test(arguments: [("serch", "search"), ("statsu", "status"), ("pign", "ping"), ("cal", "call"), ("stat", "status")])
    func `a wrong command gets the nearest right one`(word: String, meant: String) {
        let failure = failure(word, "x")
        #expect(failure?.code == .usage)
        #expect(failure?.hint == "Did you mean “\(meant)”?")
    }

    @Test func `a word that is like no command is taken for a query`() {
        #expect(failure("고양이")?.hint?.contains("searchctl search 고양이") == true)
    }

    @Test(arguments: [
        ("--limt", "limit"), ("--sources", "source"), ("--no-strat", "no-start"), ("--off-line", "offline"),
    ])
    func `a wrong option gets the nearest right one`(word: String, meant: String) {
        #expect(failure("search", "x", word)?.hint == "Did you mean “--\(meant)”?")
    }

    @Test(arguments: [
        ["search"], ["ping", "x"], ["call"], ["call", "a", "{}", "x"], ["search", "x", "-n"],
        ["search", "x", "-n", "0"],
        ["search", "x", "-n", "1001"], ["search", "x", "-n", "five"], ["search", "x", "--sort", "best"],
        ["search", "x", "--timeout", "soon"], ["search", "x", "--fresh=yes"], ["search", "x", "-Z"],
        ["search", "x", "--source="], ["--fresh", "search", "x"], ["ping", "--limit", "3"], [],
    ])
    func `what is wrong is a usage error`(words: [String]) {
        #expect(throws: ClientError.self) { try CommandLineParser.parse(words, commands: CommandTable.commands) }
    }

    @Test(arguments: [1, 1000]) func `a number may be at its limits`(number: Int) throws {
        #expect(try arguments("search", "x", "-n", String(number)).number(.limit) == number)
    }

    @Test func `help and version win over what is missing`() throws {
        let commands = CommandTable.commands
        guard case .help(nil) = try CommandLineParser.parse(["--help"], commands: commands),
            case .help(let command?) = try CommandLineParser.parse(["search", "-h"], commands: commands),
            case .help(nil) = try CommandLineParser.parse(["help"], commands: commands),
            case .help(.some) = try CommandLineParser.parse(["help", "ping"], commands: commands),
            case .version = try CommandLineParser.parse(["search", "--version"], commands: commands)
        else {
            Issue.record("not what was asked for")
            return
        }
        #expect(command.name == "search")
    }
}
