import Client
import Glibc
import SearchModel
import TestSupport
import Testing

@testable import Daemon

@Suite struct SourceCheckTests {
    @Test func `the sources of a correct file are printed and not called`() async throws {
        try await withRecipes { recipes in
            let (text, status) = try GuideHome(recipes).check()
            #expect(status == 0)
            #expect(text.contains("recipes.dishes, recipe: Recipes of the world\n  ready"), "\(text)")
            #expect(recipes.targets.isEmpty)
        }
    }

    @Test(arguments: [
        ("do: \"html\"", "do: \"htlm\"", ":45:32: hit.title.do: ", "“html”"),
        ("kind: \"recipe\"", "kind: \"Recipe!\"", ": kind: ", ""),
        ("source:", "source", ":3:10: ", "colon"), ("size: 20", "size: 0", ": paging.size: ", "from 1 to 1000"),
    ])
    func `the report on an invalid file has the line, the key and the allowed values`(
        old: String,
        new: String,
        location: String,
        form: String
    ) async throws {
        try await withRecipes { recipes in
            let guideHome = GuideHome(recipes) { $0.replacing(old, with: new) }
            let (text, status) = try guideHome.check(trying: "soup")
            #expect(status == 78)
            #expect(text.hasPrefix(guideHome.file + ":"))
            #expect(text.contains(location) && text.contains(form), "\(text)")
            #expect(recipes.targets.isEmpty)
        }
    }

    @Test func `a missing file, a directory and a file that is too long are reported`() async throws {
        try await withRecipes { recipes in
            let guideHome = GuideHome(recipes)
            let long = guideHome.directory.write(String(repeating: " ", count: 1 << 20), to: "long.json5")
            for path in [long, guideHome.directory.file("missing.json5"), guideHome.directory.path] {
                let options = CommandLineOptions()
                let (lines, status) = SourceCheck(file: path, query: nil, options, guideHome.surroundings).outcome()
                #expect(status == .fileIsWrong)
                #expect(lines.first?.contains(path) == true)
            }
        }
    }

    @Test func `an installed source file, or a copy of it, can be checked without a conflict`() async throws {
        try await withRecipes { recipes in
            let guideHome = GuideHome(recipes)
            guideHome.installSource()
            let installed = guideHome.directory.file(".config/searchd/../searchd/sources.d/recipes.dishes.json5")
            let check = SourceCheck(file: installed, query: nil, CommandLineOptions(), guideHome.surroundings)
            #expect(check.outcome().status == .found)
            let copy = try guideHome.check()
            #expect(copy.status == 0)
        }
    }

    @Test func `an invalid configuration is reported first`() async throws {
        try await withRecipes { recipes in
            let (text, status) = try GuideHome(recipes, members: "sokcet: 1,").check()
            #expect(status == 78)
            #expect(text.contains("config.json5:1:") && text.contains("“socket”"))
        }
    }

    @Test func `with --try, the check calls the source once, and prints hits with their documents`() async throws {
        try await withRecipes { recipes in
            let (text, status) = try GuideHome(recipes).check(trying: "soup")
            #expect(status == 0)
            #expect(recipes.targets == ["/v1/search?q=soup&page=1&per_page=20"])
            for part in [
                "GET \(recipes.base)/v1/search?q=soup&page=1&per_page=20", "Authorization: Bearer ‹secret›",
                "200, application/json, ", "Elements: 20, hits: 20, total 57, more pages.",
                "\"id\": \"recipes.dishes:715415\"", "\"title\": \"Red lentil soup 0\"",
                "\"name\": \"Red <b>lentil</b> soup 0\"", "\"thumbnail\": \"https://img.recipes.example/0.jpg\"",
                "\n 3. Red lentil soup 2\n",
            ] {
                #expect(text.contains(part), "\(part)")
            }
            #expect(!text.contains("\n 4. ") && !text.contains(recipes.key))
        }
    }

    @Test func `with --try, the check also looks up the first hit`() async throws {
        try await withRecipes { recipes in
            func guideHome(_ path: String, _ more: String = "") -> GuideHome {
                let lookup = "lookup: { path: \"\(path)\", hits: \"recipe\"\(more) }, sorts:"
                return GuideHome(recipes) { $0.replacing("sorts:", with: lookup) }
            }
            let (text, status) = try guideHome("/v1/recipes/{key}", ", hit: { title: \"intro\" }").check(trying: "soup")
            #expect(status == 0, "\(text)")
            #expect(text.contains("\"title\": \"Ready in no time"))
            #expect(recipes.targets.last == "/v1/recipes/715415")
            #expect(try guideHome("/v2/recipes/{key}").check(trying: "soup").status == 78)
        }
    }

    @Test func `with --try, the check names fields without values, and elements that are not hits`() async throws {
        try await withRecipes { recipes in
            let guideHome = GuideHome(recipes) { $0.replacing("from: \"stars\"", with: "from: \"stras\"") }
            let (text, status) = try guideHome.check(trying: "odd")
            #expect(status == 0)
            for part in ["Elements: 20, hits: 10", "hit.extra.rating", "Element 2 ", "\"advertisement\": \"Buy pots\""]
            {
                #expect(text.contains(part), "\(part)")
            }
        }
    }

    @Test func `the exit status is 78 if no element is a hit, and 1 if there are no results`() async throws {
        try await withRecipes { recipes in
            let guideHome = GuideHome(recipes) {
                $0.replacing("from: \"name\"", with: "from: \"title\"").replacing(
                    "from: \"path\"",
                    with: "from: \"link\""
                )
            }
            let statuses = try [guideHome.check(trying: "soup"), GuideHome(recipes).check(trying: "nothing")].map(
                \.status
            )
            #expect(statuses == [78, 1])
        }
    }

    @Test func `an unexpected response is printed without keys and terminal controls`() async throws {
        try await withRecipes { recipes in
            let (text, status) = try GuideHome(recipes).check(trying: "broken")
            #expect(status == 78)
            #expect(text.contains("<html>\\u{1b}[31mOops‹secret›</html>"))
            #expect(!text.contains(recipes.key) && !text.contains("\u{1B}"))
            let path = GuideHome(recipes) { $0.replacing("\"results\"", with: "\"hits\"") }
            let (wrong, code) = try path.check(trying: "soup")
            #expect(code == 78)
            #expect(
                wrong.contains("there are: count, results. Compare “response” in the file with the body below."),
                "\(wrong)"
            )
        }
    }

    @Test func `a key that cannot be used is reported with the reason`() async throws {
        try await withRecipes { recipes in
            for (text, mode, reason) in [
                ("key-0123456789", 0o644, "can be read by others: chmod 600"), ("", 0o600, "is empty"),
                (nil, 0, "No such file"),
            ] as [(String?, mode_t, String)] {
                let guideHome = GuideHome(recipes)
                let path = guideHome.directory.file(".config/searchd/recipes.key")
                if let text {
                    guideHome.directory.write(text, to: ".config/searchd/recipes.key", mode: mode)
                } else {
                    unsafe unlink(path)
                }
                let output = try guideHome.check().text
                #expect(output.contains("accounts.recipes.key") && output.contains(reason), "\(output)")
            }
        }
    }
}
