import JSON
import TestSupport
import Testing

@testable import Daemon

/// Performs the steps of the guide to source files with searchctl and searchd.
@Suite struct GuideStepsTests {
    @Test func `a new source file can be checked, tried, installed and searched`() async throws {
        try await withRecipes { recipes in
            try await Gate.heavy.pass {
                let guideHome = GuideHome(recipes)
                let home = guideHome.directory
                let check = try Searchd(
                    ["sources", "check", guideHome.file, "--try", "soup"],
                    program: "searchctl",
                    in: home
                )
                #expect(try check.waitForExit() == 0)
                #expect(check.errors.isEmpty)
                #expect(check.output.contains("\"title\": \"Red lentil soup 0\""))
                #expect(!check.output.contains(recipes.key))

                guideHome.installSource()
                let searchd = try Searchd(["--socket", home.file("s"), "--ready-fd", "3"], in: home)
                #expect(try searchd.readyText() == "R")
                try expectSearches(home, recipes)
                searchd.signal(15)
                #expect(try searchd.waitForExit() == 0)
                #expect(!searchd.errors.contains(recipes.key))
                #expect(recipes.targets.filter { $0.contains("order=newest") }.count == 1)
            }
        }
    }

    private func expectSearches(_ home: TemporaryDirectory, _ recipes: RecipesServer) throws {
        let client = try TestClient(home.file("s"), secrets: [recipes.key])
        let params = #"{"query":"soup","sources":["recipes.dishes"],"limit":57}"#
        let answer = try client.call("search", params)
        #expect(answer.hitIDs.count == 57)
        #expect(Set(answer.hitIDs).count == 57)
        #expect(answer.source("recipes.dishes")?["total"] == 57)
        let hit = try #require(answer["result"]?["hits"]?[30])
        #expect(hit["title"] == "Red lentil soup 30")
        #expect(hit["snippet"] == "Ready in no time & everyone")
        #expect(hit["author"] == "Mina")
        #expect(hit["published"] == "2024-03-22T11:51:51Z")
        #expect(hit["extra"] == ["minutes": 50, "rating": 4.5])
        let newest = try client.call(
            "search",
            #"{"query":"soup","sources":["recipes.*"],"sort":"recency","options":{"recipes.dishes":{"diet":"vegan"}}}"#
        )
        #expect(newest["result"]?["hits"]?[0]?["title"] == "Red lentil soup 56")
        #expect(newest["result"]?["hits"]?[0]?["snippet"] == "Ready in no time & vegan")
        let list = try #require(try client.call("source/list")["result"]?["sources"]?.array)
        let entry = try #require(list.first { $0["source"] == "recipes.dishes" })
        #expect(entry["enabled"] == true && entry["health"] == "ok" && entry["keyNeeded"] == true)
        #expect(entry["attribution"] == "Recipes of the world, CC BY")
        #expect(entry["options"]?["diet"]?["values"] == ["vegan", "vegetarian"])
    }
}
