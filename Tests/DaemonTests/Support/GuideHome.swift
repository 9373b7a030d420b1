import Client
import Glibc
import TestSupport

@testable import Daemon

/// A home directory with the files of the guide: the example source and the configuration.
struct GuideHome {
    let directory = TemporaryDirectory()
    let recipes: RecipesServer
    let file: String

    /// If `members` is nil, the configuration sends calls to `recipes`.
    init(
        _ recipes: RecipesServer,
        members: String? = nil,
        _ change: (String) -> String = { $0 }
    ) {
        self.recipes = recipes
        for name in [".config", ".config/searchd", ".config/searchd/sources.d"] { directory.makeDirectory(name) }
        directory.write(recipes.key + "\n", to: ".config/searchd/recipes.key")
        let key = "key: { file: \"\(directory.file(".config/searchd/recipes.key"))\" }"
        let accounts = members == nil ? "\(key), baseURL: \"\(recipes.base)\"" : key
        directory.write(
            "{ accounts: { recipes: { \(accounts) } }, \(members ?? "") }",
            to: ".config/searchd/config.json5",
            mode: 0o644
        )
        file = directory.write(change(SourceGuide.example), to: "recipes.dishes.json5", mode: 0o644)
    }

    func installSource(_ change: (String) -> String = { $0 }) {
        directory.write(change(SourceGuide.example), to: ".config/searchd/sources.d/recipes.dishes.json5", mode: 0o644)
    }

    var surroundings: ProcessEnvironment {
        ProcessEnvironment(userID: 1000, processID: 1, environment: ["HOME": directory.path])
    }

    func check(trying query: String? = nil) throws -> (text: String, status: Int32) {
        let words = ["--check-source", file] + (query.map { ["--try", $0] } ?? [])
        let options = try CommandLineOptions(words)
        let outcome = SourceCheck(file: file, query: options.query, options, surroundings).outcome()
        return (outcome.lines.joined(separator: "\n"), outcome.status.rawValue)
    }
}
