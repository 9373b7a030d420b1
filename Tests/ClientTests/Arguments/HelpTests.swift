import Testing

@testable import Client

struct HelpTests {
    @Test func `the help of the program fits a screen and starts with examples`() {
        let lines = Help.text(of: CommandTable.commands).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 24)
        #expect(lines.first == "Examples:")
    }

    @Test(arguments: CommandTable.commands.map(\.name))
    func `the help of a command names all of it within 100 columns`(name: String) throws {
        let command = try #require(CommandTable.commands.first { $0.name == name })
        let help = Help.text(of: command)
        #expect(help.hasPrefix("Examples:"))
        #expect(help.split(separator: "\n", omittingEmptySubsequences: false).dropLast().count <= 24)
        for option in command.options + CommandOption.common { #expect(help.contains("--\(option.name)")) }
        for example in command.examples { #expect(help.contains(example)) }
        #expect(help.contains("searchctl \(name)"))
        #expect(help.split(separator: "\n").allSatisfy { DisplayWidth.columns(of: String($0)) <= 100 })
    }

    @Test(arguments: CommandTable.commands.map(\.name))
    func `no two options of a command share a name or a letter`(name: String) throws {
        let command = try #require(CommandTable.commands.first { $0.name == name })
        let options = command.options + CommandOption.common
        #expect(Set(options.map(\.name)).count == options.count)
        let letters = options.compactMap(\.letter)
        #expect(Set(letters).count == letters.count)
    }

    @Test func `the examples that are plain calls parse`() throws {
        for command in CommandTable.commands {
            for example in command.examples where !example.contains(where: { "'|<".contains($0) }) {
                let words = example.split(separator: " ").dropFirst().prefix { $0 != "||" }.map(String.init)
                _ = try CommandLineParser.parse(words, commands: CommandTable.commands)
            }
        }
    }
}
