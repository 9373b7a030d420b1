import TestSupport
import Testing

@testable import Daemon

@Suite struct ConfigurationCheckTests {
    private func check(_ guideHome: GuideHome) -> [String] {
        var options = CommandLineOptions()
        options.action = .check
        let loader = ConfigurationLoader(surroundings: guideHome.surroundings, options: options)
        return ConfigurationCheck.lines(loader.inspect(), guideHome.surroundings)
    }

    @Test func `all problems of the configuration and of every file are printed`() async throws {
        try await withRecipes { recipes in
            let guideHome = GuideHome(recipes, members: "sources: { \"kakao.blgo\": {} }, defaultSources: [\"x.*\"],")
            guideHome.installSource { $0.replacing("size: 20", with: "size: 0") }
            let files = guideHome.directory.file(".config/searchd/sources.d")
            guideHome.directory.write("{ what", to: ".config/searchd/sources.d/other.json5")
            let problems = check(guideHome)
            #expect(problems.count == 4, "\(problems)")
            #expect(problems[0].contains("config.json5:1:") && problems[0].contains("sources.kakao.blgo: "))
            #expect(problems[1].contains("defaultSources[0]: "))
            #expect(problems[2].hasPrefix("\(files)/other.json5:1:"))
            #expect(problems[3].hasPrefix("\(files)/recipes.dishes.json5:40:"))
            #expect(problems[3].contains("paging.size: "))
        }
    }

    @Test func `source files are not checked if the configuration is invalid`() async throws {
        try await withRecipes { recipes in
            let guideHome = GuideHome(recipes, members: "allowedHosts: [\"127.0.0.1/\"],")
            guideHome.installSource { $0.replacing("https://api.recipes.example", with: "http://127.0.0.1:1") }
            let problems = check(guideHome).filter { $0.contains(".json5:") }
            #expect(problems.count == 1)
            #expect(problems.first?.contains("allowedHosts[0]") == true)
        }
    }

    @Test func `a source file may come before the file of its account`() async throws {
        try await withRecipes { recipes in
            let guideHome = GuideHome(recipes)
            guideHome.directory.write(
                "{ account: \"recipes\", secrets: { key: \"k\" }, access: { secrets: \"key\", base: \"https://a.example\" } }",
                to: ".config/searchd/sources.d/zz.json5"
            )
            guideHome.directory.write(
                """
                {
                    source: "recipes.all", kind: "recipe", title: "All", request: { path: "/all" },
                    paging: { style: "single", size: 5 }, response: { hits: "." }, hit: { title: "t" },
                }
                """,
                to: ".config/searchd/sources.d/aa.json5"
            )
            let lines = check(guideHome)
            #expect(lines.count == 2, "\(lines)")
            #expect(lines[0].contains(" sources ready; configuration /"))
            #expect(lines[1].contains(" off: "))
            #expect(!lines[1].contains("recipes.all"))
        }
    }

    private static let pasted = "ab12CD34ef56GH78"

    @Test(arguments: [
        "accounts: { recipes: { \"KEY\": { value: \"x\" } } },", "accounts: { recipes: { \"KEY\": \"x\" } },",
        "accounts: { \"KEY\": { key: \"x\" } },", "accounts: { recipes: { key: { \"KEY\": \"x\" } } },",
        "accounts: { recipes: { baseURL: \"KEY\" } },", "accounts: { recipes: { key: { env: \"KEY\" } } },",
        "accounts: { recipes: { key: { file: \"KEY\" } } },", "sources: { \"recipes.dishes\": { baseURL: \"KEY\" } },",
        "sources: { \"KEY\": {} },", "\"KEY\": 1,",
    ])
    func `a secret in the wrong place of the configuration is not printed`(_ members: String) async throws {
        try await withRecipes { recipes in
            let guideHome = GuideHome(recipes, members: members.replacing("KEY", with: Self.pasted))
            guideHome.installSource()
            let lines = check(guideHome)
            #expect(lines.contains { $0.contains("config.json5:1:") }, "\(lines)")
            #expect(!lines.contains { $0.contains(Self.pasted) }, "\(lines)")
        }
    }
}
