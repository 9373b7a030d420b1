import Catalogue
import Client
import Testing

@testable import Daemon

/// What the manual says of the daemon is what the daemon does.
struct ManualTests {
    /// The words of the daemon's help that begin with two dashes.
    private var namesOfHelp: Set<String> {
        let words = CommandLineOptions.help.split { !($0.isLetter || $0 == "-") }
        return Set(words.filter { $0.hasPrefix("--") }.map(String.init))
    }

    @Test func `every option is described, and none that there isn't`() {
        #expect(Set(DaemonManual.options.map(\.name)) == namesOfHelp)
    }

    @Test(arguments: DaemonManual.options) func `a described option is taken as it is described`(_ option: ManualEntry)
    {
        let values = ["N": "3", "LEVEL": "debug"]
        let value = option.form.isEmpty ? [] : [values[option.form] ?? "x"]
        let front = option.name == "--try" ? ["--check-source", "x"] : []
        #expect(throws: Never.self) { try CommandLineOptions(front + [option.name] + value) }
        if !option.form.isEmpty {
            #expect(throws: CommandLineOptions.Problem.self) { try CommandLineOptions(front + [option.name]) }
        }
    }

    @Test func `every key of the configuration is described, and none that there isn't`() {
        #expect(Set(ConfigurationManual.keys.map(\.name)) == Set(ConfigurationReader.paths))
        #expect(ConfigurationManual.keys.count == ConfigurationReader.paths.count)
    }

    @Test func `the example is a right configuration`() {
        let text = ConfigurationManual.example.joined(separator: "\n")
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
        let described = ConfigurationManual.accounts.map { account in
            (account.name, Set(account.form.split { !$0.isLetter }.map(String.init)))
        }
        #expect(Dictionary(described) { first, _ in first } == names)
    }

    @Test func `every exit status is described`() {
        let numbers = Set(DaemonManual.statuses.map(\.number))
        #expect(numbers == Set([0] + StartError.Code.allCases.map(\.rawValue)))
    }

    @Test func `the defaults are the real ones`() throws {
        let cache = try #require(ConfigurationManual.keys.first { $0.name == "memory.cacheBytes" })
        #expect(cache.meaning.contains("default: \(Configuration.cacheBytesDefault >> 20)MiB"))
        let hosts = try #require(ConfigurationManual.keys.first { $0.name == "allowedHosts" })
        #expect(hosts.form.contains("at most \(ConfigurationReader.allowedHostsMax)"))
    }
}
