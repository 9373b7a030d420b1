import Client
import Glibc
import TestSupport

@testable import Daemon

/// Somebody who follows the guide: a home with the example's file and the configuration that the guide tells to write.
struct Newcomer {
    let home = TemporaryDirectory()
    let recipes: RecipesServer
    /// Not in place yet, as in the guide's second step.
    let file: String

    /// - Parameters:
    ///   - recipes: The API.
    ///   - members: What the configuration has beside the key; by default the API's address.
    ///   - change: Changes the example's text.
    init(
        _ recipes: RecipesServer,
        members: String? = nil,
        _ change: (String) -> String = { $0 }
    ) {
        self.recipes = recipes
        for name in [".config", ".config/searchd", ".config/searchd/sources.d"] { home.makeDirectory(name) }
        home.write(recipes.key + "\n", to: ".config/searchd/recipes.key")
        let key = "key: { file: \"\(home.file(".config/searchd/recipes.key"))\" }"
        let accounts = members == nil ? "\(key), baseURL: \"\(recipes.base)\"" : key
        home.write(
            "{ accounts: { recipes: { \(accounts) } }, \(members ?? "") }",
            to: ".config/searchd/config.json5",
            mode: 0o644
        )
        file = home.write(change(SourceGuide.example), to: "recipes.dishes.json5", mode: 0o644)
    }

    /// The guide's last step.
    func putIntoPlace(_ change: (String) -> String = { $0 }) {
        home.write(change(SourceGuide.example), to: ".config/searchd/sources.d/recipes.dishes.json5", mode: 0o644)
    }

    var surroundings: ProcessEnvironment {
        ProcessEnvironment(userID: 1000, processID: 1, environment: ["HOME": home.path])
    }

    /// What `searchd --check-source` prints, and its exit status.
    func check(trying query: String? = nil) throws -> (text: String, status: Int32) {
        let words = ["--check-source", file] + (query.map { ["--try", $0] } ?? [])
        let options = try CommandLineOptions(words)
        let outcome = SourceCheck(file: file, query: options.query, options, surroundings).outcome()
        return (outcome.lines.joined(separator: "\n"), outcome.status.rawValue)
    }
}
