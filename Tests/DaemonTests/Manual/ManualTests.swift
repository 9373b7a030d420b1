import Catalogue
import EventLoop
import Testing

@testable import Daemon

/// What the manual says of the daemon is what the daemon does.
struct ManualTests {
    private static let daemon = ManualFile("searchd.8")
    private static let configuration = ManualFile("searchd.conf.5")

    /// The words of the daemon's help that begin with two dashes.
    private var namesOfHelp: Set<String> {
        let words = CommandLineOptions.help.split { !($0.isLetter || $0 == "-") }
        return Set(words.filter { $0.hasPrefix("--") }.map(String.init))
    }

    @Test func `every option is described, and none that there isn't`() {
        #expect(Set(Self.daemon.entries("OPTIONS").map(\.name)) == namesOfHelp)
    }

    @Test(arguments: daemon.entries("OPTIONS"))
    func `a described option is taken as it is described`(_ option: ManualFile.Entry) {
        let values = ["N": "3", "LEVEL": "debug"]
        let value = option.form.isEmpty ? [] : [values[option.form] ?? "x"]
        let front = option.name == "--try" ? ["--check-source", "x"] : []
        #expect(throws: Never.self) { try CommandLineOptions(front + [option.name] + value) }
        if !option.form.isEmpty {
            #expect(throws: CommandLineOptions.Problem.self) { try CommandLineOptions(front + [option.name]) }
        }
    }

    @Test func `every key of the configuration is described, and none that there isn't`() {
        #expect(Set(Self.configuration.entries("KEYS").map(\.name)) == Set(ConfigurationReader.paths))
        #expect(Self.configuration.entries("KEYS").count == ConfigurationReader.paths.count)
    }

    @Test func `the example is a right configuration`() {
        let text = Self.configuration.example
        let (configuration, problems) = ConfigurationReader.read(Array(text.utf8), file: "c.json5")
        #expect(problems.map(\.description) == [])
        let review = ConfigurationReview(configuration: configuration, catalogue: .builtIn(), refused: [])
        #expect(review.problems.map(\.description) == [])
    }

    @Test func `every account is described with its secrets and settings`() {
        var names: [String: Set<String>] = [:]
        for source in Catalogue.builtIn().sources.values {
            names[source.account, default: []].formUnion(source.secrets.map(\.name) + source.settings.map(\.name))
        }
        let described = Self.configuration.entries("ACCOUNTS").map { account in
            (account.name, Set(account.form.split { !$0.isLetter }.map(String.init)))
        }
        #expect(Dictionary(described) { first, _ in first } == names)
    }

    @Test func `every exit status is described`() {
        let numbers = Set(Self.daemon.entries("EXIT STATUS").compactMap { Int32($0.name) })
        #expect(numbers == Set([0] + StartError.Code.allCases.map(\.rawValue)))
    }

    @Test func `the defaults are the real ones`() throws {
        let cache = try #require(Self.configuration.entries("KEYS").first { $0.name == "memory.cacheBytes" })
        #expect(cache.meaning.contains("Default: \(Configuration.cacheBytesDefault >> 20)MiB"))
        let hosts = try #require(Self.configuration.entries("KEYS").first { $0.name == "allowedHosts" })
        #expect(hosts.form.contains("at most \(ConfigurationReader.allowedHostsMax)"))
    }
}

/// A page of the manual that people write, as a file in the macros of man(7).
struct ManualFile: Sendable {
    struct Entry: Sendable {
        let name: String
        /// What stands behind the name, in the same line.
        let form: String
        let meaning: String
    }

    private let lines: [String]

    init(_ name: String) {
        let root = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()
        let bytes = SystemCall.contents(of: "\(root)/systemd/man/\(name)") ?? []
        lines = String(decoding: bytes, as: UTF8.self).replacing("\\-", with: "-").split(separator: "\n").map(
            String.init
        )
    }

    /// The entries below a heading.
    func entries(_ heading: String) -> [Entry] {
        let begin = lines.firstIndex { $0.replacing("\"", with: "") == ".SH \(heading)" } ?? lines.endIndex
        let section = lines[begin...].dropFirst().prefix { !$0.hasPrefix(".SH ") }
        return section.split { $0 == ".TP" }.filter { $0.first?.hasPrefix("\\fB") == true }.map { entry in
            let head = (entry.first ?? "").dropFirst(3).dropLast(3).split(separator: " ", maxSplits: 1).map(String.init)
            let meaning = entry.dropFirst().prefix { !$0.hasPrefix(".") }.joined(separator: " ")
            return Entry(name: head[0], form: head.count > 1 ? head[1] : "", meaning: meaning)
        }
    }

    /// The lines of the first example.
    var example: String {
        lines.drop { $0 != ".nf" }.dropFirst().prefix { $0 != ".fi" }.joined(separator: "\n")
    }
}
