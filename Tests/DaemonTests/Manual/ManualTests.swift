import Catalogue
import EventLoop
import Testing

@testable import Daemon

/// Checks that the manual pages of the daemon agree with the program.
struct ManualTests {
    private static let daemon = ManualFile("searchd.8")
    private static let configuration = ManualFile("searchd.conf.5")

    private var namesOfHelp: Set<String> {
        let words = CommandLineOptions.help.split { !($0.isLetter || $0 == "-") }
        return Set(words.filter { $0.hasPrefix("--") }.map(String.init))
    }

    @Test func `the manual describes the options of the help`() {
        #expect(Set(Self.daemon.entries("OPTIONS").map(\.name)) == namesOfHelp)
    }

    @Test(arguments: daemon.entries("OPTIONS"))
    func `each option is accepted in the form that the manual describes`(_ option: ManualFile.Entry) {
        let values = ["N": "3", "LEVEL": "debug"]
        let value = option.form.isEmpty ? [] : [values[option.form] ?? "x"]
        let front = option.name == "--try" ? ["--check-source", "x"] : []
        #expect(throws: Never.self) { try CommandLineOptions(front + [option.name] + value) }
        if !option.form.isEmpty {
            #expect(throws: CommandLineOptions.Problem.self) { try CommandLineOptions(front + [option.name]) }
        }
    }

    @Test func `the manual describes the keys of the configuration`() {
        let keys = ConfigurationKeys.all.flatMap(\.paths)
        #expect(Self.configuration.entries("SETTINGS").map(\.name).sorted() == keys.sorted())
    }

    @Test func `the example in the manual is a valid configuration`() {
        let text = Self.configuration.example
        let (configuration, problems) = ConfigurationReader.read(Array(text.utf8), file: "c.json5")
        #expect(problems.map(\.description) == [])
        let review = ConfigurationReview(configuration: configuration, catalogue: .builtIn(), refused: [])
        #expect(review.problems.map(\.description) == [])
    }

    @Test func `the manual describes every account with its secrets and settings`() {
        var names: [String: Set<String>] = [:]
        for source in Catalogue.builtIn().sources.values {
            let (secrets, settings) = (source.shared.secrets.map(\.name), source.shared.settings.map(\.name))
            names[source.account, default: []].formUnion(secrets + settings)
        }
        let described = Self.configuration.entries("ACCOUNTS").map { account in
            (account.name, Set(account.form.split { !$0.isLetter }.map(String.init)))
        }
        #expect(Dictionary(described) { first, _ in first } == names)
    }

    @Test func `the manual describes every exit status`() {
        let numbers = Set(Self.daemon.entries("EXIT STATUS").compactMap { Int32($0.name) })
        #expect(numbers == Set([0] + StartError.Code.allCases.map(\.rawValue)))
    }

    @Test func `the defaults and limits in the manual are those of the program`() throws {
        let cache = try #require(Self.configuration.entries("SETTINGS").first { $0.name == "memory.cacheBytes" })
        #expect(cache.meaning.contains("Default: \(Configuration.cacheBytesDefault >> 20)MiB"))
        let hosts = try #require(Self.configuration.entries("SETTINGS").first { $0.name == "allowedHosts" })
        #expect(hosts.form.contains("at most \(ConfigurationKeys.allowedHostsMax)"))
    }
}

/// A manual page with the macros of man(7).
struct ManualFile: Sendable {
    struct Entry: Sendable {
        let name: String
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

    func entries(_ heading: String) -> [Entry] {
        let begin = lines.firstIndex { $0.replacing("\"", with: "") == ".SH \(heading)" } ?? lines.endIndex
        let section = lines[begin...].dropFirst().prefix { !$0.hasPrefix(".SH ") }
        return section.split { $0 == ".TP" }.filter { $0.first?.hasPrefix("\\fB") == true }.map { entry in
            let head = (entry.first ?? "").dropFirst(3).dropLast(3).split(separator: " ", maxSplits: 1).map(String.init)
            let meaning = entry.dropFirst().prefix { !$0.hasPrefix(".") }.joined(separator: " ")
            return Entry(name: head[0], form: head.count > 1 ? head[1] : "", meaning: meaning)
        }
    }

    var example: String {
        lines.drop { $0 != ".nf" }.dropFirst().prefix { $0 != ".fi" }.joined(separator: "\n")
    }
}
