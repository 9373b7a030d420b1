import Testing

@testable import Client

struct HelpTests {
    @Test func `the help of the program fits a screen of 80 columns and 24 lines, and names every command`() {
        let help = Help.text(of: CommandTable.commands, columns: 80)
        #expect(help.split(separator: "\n", omittingEmptySubsequences: false).count <= 24)
        #expect(help.hasPrefix("Usage: searchctl COMMAND"))
        let words = help.split { " ,\n".contains($0) }
        for command in CommandTable.commands where !command.isHidden {
            #expect(words.contains(Substring(command.name)))
        }
    }

    @Test(arguments: CommandTable.commands.map(\.name))
    func `the help of a command names all of it`(name: String) throws {
        let command = try #require(CommandTable.commands.first { $0.name == name })
        let help = Help.text(of: command, columns: 120)
        #expect(help.hasPrefix("Usage: searchctl \(name)"))
        for option in command.options + CommandOption.common { #expect(help.contains("--\(option.name)")) }
        let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for example in command.examples {
            #expect(words.contains(example.split(separator: " ").joined(separator: " ")))
        }
        for detail in command.details { #expect(detail.hasSuffix("."), "\(detail)") }
    }

    @Test(arguments: CommandTable.commands.map(\.name), [60, 80, 120, 200])
    func `no line of a help is wider than the terminal, nor broken inside a word`(name: String, columns: Int) throws {
        let command = try #require(CommandTable.commands.first { $0.name == name })
        for help in [Help.text(of: command, columns: columns), Help.text(of: CommandTable.commands, columns: columns)] {
            for line in help.split(separator: "\n") { #expect(Layout.width(String(line)) <= columns, "\(line)") }
        }
        let words = Help.text(of: command, columns: columns).split(whereSeparator: \.isWhitespace)
        #expect(words == Help.text(of: command, columns: 1000).split(whereSeparator: \.isWhitespace))
    }

    @Test func `the options of search stand in groups, each once`() throws {
        let groups = OptionGroup.groups(of: CommandOption.ofSearch)
        #expect(groups.map(\.title).prefix(2) == ["What to search", "Which hits"])
        #expect(groups.flatMap(\.options).map(\.name).sorted() == CommandOption.ofSearch.map(\.name).sorted())
        #expect(OptionGroup.groups(of: CommandOption.ofStatus).map(\.title) == ["Options"])
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
