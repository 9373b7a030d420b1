import Catalogue
import Engine
import Glibc
import SearchModel
import TestSupport
import Testing

@testable import Daemon

@Suite struct SourceDirectoriesTests {
    private let directory = TemporaryDirectory()

    init() {
        for name in ["home", "home/searchd", "home/searchd/sources.d", "named", "named/sources.d", "more"] {
            directory.makeDirectory(name)
        }
    }

    @discardableResult
    private func write(_ source: String, in place: String, mode: mode_t = 0o644) -> String {
        directory.write(
            """
            {
                source: "\(source)", kind: "web", title: "\(place)",
                account: { access: { base: "https://wiki.example.org" } },
                request: { path: "/s", parameters: { q: "{query}", page: "{page}" } },
                paging: { style: "page", first: 1, size: 10, pagesMax: 10 },
                response: { hits: "items" },
                hit: { key: "id", title: "t", url: "u" },
            }
            """,
            to: "\(place)/\(source).json5",
            mode: mode
        )
    }

    private func loader(named: Bool = true) -> ConfigurationLoader {
        var environment = ["XDG_CONFIG_HOME": directory.file("home")]
        if named { environment["SEARCHD_CONFIG"] = directory.file("named/config.json5") }
        let surroundings = ProcessEnvironment(userID: 1000, processID: 7, environment: environment)
        return ConfigurationLoader(surroundings: surroundings, options: CommandLineOptions())
    }

    private func title(_ name: String, _ loaded: ConfigurationLoader.Loaded) throws -> String? {
        loaded.registry[try #require(SourceName(name))]?.source.title
    }

    @Test func `source files next to a named configuration replace the user's files`() throws {
        directory.write("{}", to: "named/config.json5")
        write("one.a", in: "home/searchd/sources.d")
        write("two.a", in: "home/searchd/sources.d")
        write("two.a", in: "named/sources.d")
        let loaded = try loader().load()
        #expect(try title("one.a", loaded) == "home/searchd/sources.d")
        #expect(try title("two.a", loaded) == "named/sources.d")
        #expect(try title("two.a", try loader(named: false).load()) == "home/searchd/sources.d")
    }

    @Test func `source files in configured directories replace files in all other directories`() throws {
        directory.write("{ sourceDirectories: [\"\(directory.file("more"))\"] }", to: "named/config.json5")
        write("one.a", in: "home/searchd/sources.d")
        write("two.a", in: "named/sources.d")
        write("two.a", in: "more")
        let loaded = try loader().load()
        #expect(try title("one.a", loaded) == "home/searchd/sources.d")
        #expect(try title("two.a", loaded) == "more")
    }

    @Test func `a source file that anyone can write to is refused, and other files are read`() throws {
        directory.write("{}", to: "named/config.json5")
        let open = write("one.a", in: "named/sources.d", mode: 0o646)
        write("two.a", in: "named/sources.d", mode: 0o664)
        let loaded = try loader().load()
        #expect(try title("one.a", loaded) == nil)
        #expect(try title("two.a", loaded) != nil)
        #expect(loaded.problems.contains { $0.description.contains("chmod o-w \(open)") })
    }

    @Test(arguments: [0o777, 0o1777] as [mode_t])
    func `a source directory that anyone can write to is ignored`(mode: mode_t) throws {
        directory.write("{}", to: "named/config.json5")
        write("one.a", in: "named/sources.d")
        _ = unsafe chmod(directory.file("named/sources.d"), mode)
        let loaded = try loader().load()
        #expect(try title("one.a", loaded) == nil)
        #expect(loaded.problems.count == 1)
    }

    @Test func `a configuration that anyone can write to or replace is refused`() throws {
        let path = directory.write("{}", to: "named/config.json5", mode: 0o666)
        let error = #expect(throws: StartError.self) { try loader().load() }
        #expect(error?.message.contains("chmod o-w \(path)") == true)
        _ = unsafe chmod(path, 0o664)
        #expect(try loader().load().problems.isEmpty)
        // In a sticky directory, other users cannot replace the file.
        _ = unsafe chmod(directory.file("named"), 0o1777)
        #expect(try loader().load().problems.isEmpty)
        _ = unsafe chmod(directory.file("named"), 0o777)
        #expect(throws: StartError.self) { try loader().load() }
    }
}
