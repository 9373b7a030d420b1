import Testing

@testable import Client

struct StyleTests {
    private func isOn(_ environment: [String: String], words: String..., isTerminal: Bool = true) throws -> Bool {
        let request = try CommandLineParser.parse(["search", "x"] + words, commands: CommandTable.commands)
        guard case .run(_, let arguments) = request else { throw ClientError(.usage, "not a command") }
        return Style(arguments, environment: Environment(environment), isTerminal: isTerminal).isOn
    }

    @Test func `a terminal gets colours unless it or the user says no`() throws {
        #expect(try isOn(["TERM": "xterm"]))
        #expect(try !isOn(["TERM": "dumb"]))
        #expect(try !isOn([:]))
        #expect(try !isOn(["TERM": "xterm", "NO_COLOR": "1"]))
        #expect(try isOn(["TERM": "xterm", "NO_COLOR": ""]))
        #expect(try !isOn(["TERM": "xterm"], isTerminal: false))
        #expect(try isOn(["TERM": "xterm", "CLICOLOR_FORCE": "1"], isTerminal: false))
        #expect(try !isOn(["TERM": "xterm"], words: "--color=never"))
        #expect(try isOn(["NO_COLOR": "1"], words: "--color=always", isTerminal: false))
        #expect(try !isOn(["TERM": "xterm"], words: "--plain"))
    }

    @Test func `a link is percent-encoded down to visible ASCII`() {
        #expect(Style.linkTarget("https://a.example/고?q=a b") == "https://a.example/%EA%B3%A0?q=a%20b")
        #expect(Style.linkTarget("https://a.example/\u{1B}\\") == "https://a.example/%1B\\")
    }

    @Test(arguments: [
        "", "file:///etc/passwd", "javascript:alert(1)", "/relative", "mailto:a@b", "example.com", "httpsx://a",
    ])
    func `only web addresses become links`(target: String) {
        #expect(Style.linkTarget(target) == nil)
        #expect(Style(isOn: true).link("text", to: target, id: 1) == "text")
    }

    @Test func `a link may be as long as its limit and no longer`() {
        let start = "https://a.example/"
        let fits = start + String(repeating: "x", count: Style.linkBytesMax - start.utf8.count)
        #expect(Style.linkTarget(fits) == fits)
        #expect(Style.linkTarget(fits + "x") == nil)
    }

    @Test func `a style that is off adds nothing`() {
        let style = Style(isOn: false)
        #expect(style.bold("a") + style.dim("b") + style.link("c", to: "https://a.example", id: 1) == "abc")
    }
}
