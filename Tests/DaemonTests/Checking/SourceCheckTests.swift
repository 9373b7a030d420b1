import Client
import SearchModel
import TestSupport
import Testing

@testable import Daemon

@Suite struct SourceCheckTests {
    @Test func `a right file is told with what it declares`() async throws {
        try await withRecipes { recipes in
            let (text, status) = try Newcomer(recipes).check()
            #expect(status == 0)
            #expect(text.contains("recipes.dishes.json5: no errors."))
            for part in [
                "recipes.dishes, recipe: Recipes of the world", "of 20, at most 50", "relevance, recency",
                "diet: one of vegan, vegetarian", "2 per second, 2 at once", "recipes-day: 500 per day, resets 20",
                "ready",
            ] {
                #expect(text.contains(part), "\(part)")
            }
            #expect(recipes.targets.isEmpty)
        }
    }

    @Test func `a lookup is tried with the first hit`() async throws {
        try await withRecipes { recipes in
            func newcomer(_ path: String, _ more: String = "") -> Newcomer {
                let lookup = "lookup: { path: \"\(path)\", hits: \"recipe\"\(more) }, sorts:"
                return Newcomer(recipes) { $0.replacing("sorts:", with: lookup) }
            }
            let (text, status) = try newcomer("/v1/recipes/{key}", ", hit: { title: \"intro\" }").check(trying: "soup")
            #expect(status == 0, "\(text)")
            #expect(text.contains("lookup  one item by its key"))
            let found = try #require(text.firstRange(of: "Looked up by its key, the first hit becomes:"))
            #expect(text[found.upperBound...].contains("\"title\": \"Ready in no time"))
            #expect(recipes.targets.last == "/v1/recipes/715415")
            let wrong = try newcomer("/v2/recipes/{key}").check(trying: "soup")
            #expect(wrong.status == 78)
            #expect(wrong.text.contains("The answer to the lookup begins so:"))
        }
    }

    @Test(arguments: [
        ("do: \"html\"", "do: \"htlm\"", ":45:32: hit.title.do: “htlm” is not known here. Did you mean “html”?"),
        ("kind: \"recipe\"", "kind: \"Recipe!\"", ": kind: “Recipe!” is no kind. Use a–z and digits"),
        ("source:", "source", ":3:10: a colon is missing"),
        ("size: 20", "size: 0", ": paging.size: 0 is out of range. It must be a whole number from 1 to 1000"),
    ])
    func `a wrong file is told with line, key and what would be right`(old: String, new: String, expected: String)
        async throws
    {
        try await withRecipes { recipes in
            let newcomer = Newcomer(recipes) { $0.replacing(old, with: new) }
            let (text, status) = try newcomer.check(trying: "soup")
            #expect(status == 78)
            #expect(text.hasPrefix(newcomer.file + ":"))
            #expect(text.contains(expected), "\(text)")
            #expect(recipes.targets.isEmpty)
        }
    }

    @Test func `a file that is not there, too long or no file is told`() async throws {
        try await withRecipes { recipes in
            let newcomer = Newcomer(recipes) { $0 + String(repeating: " ", count: 1 << 18) }
            let (text, _) = try newcomer.check()
            #expect(text.contains("larger than"))
            let options = CommandLineOptions()
            for path in [newcomer.home.file("missing.json5"), newcomer.home.path] {
                let (lines, status) = SourceCheck(file: path, query: nil, options, newcomer.surroundings).outcome()
                #expect(status.number == 78)
                #expect(lines.first?.contains(path) == true)
            }
        }
    }

    @Test func `a file that is in its place already does not meet itself there`() async throws {
        try await withRecipes { recipes in
            let newcomer = Newcomer(recipes)
            newcomer.putIntoPlace()
            let options = CommandLineOptions()
            let inPlace = newcomer.home.file(".config/searchd/../searchd/sources.d/recipes.dishes.json5")
            let check = SourceCheck(file: inPlace, query: nil, options, newcomer.surroundings)
            #expect(check.outcome().status.number == 0)
            // Nor does a copy that is being changed: it is checked as if it stood in the place of the first.
            let copy = try newcomer.check()
            #expect(copy.status == 0, "\(copy.text)")
        }
    }

    @Test func `a wrong configuration is told first`() async throws {
        try await withRecipes { recipes in
            let newcomer = Newcomer(recipes, members: "sokcet: 1,")
            let (text, status) = try newcomer.check()
            #expect(status == 78)
            #expect(text.contains("config.json5:1:"))
            #expect(text.contains("sokcet: is not known here. Did you mean “socket”?"))
        }
    }

    @Test func `a trial asks once and shows hits beside what they are made of`() async throws {
        try await withRecipes { recipes in
            let (text, status) = try Newcomer(recipes).check(trying: "soup")
            #expect(status == 0)
            #expect(recipes.targets == ["/v1/search?q=soup&page=1&per_page=20"])
            #expect(text.contains("GET \(recipes.base)/v1/search?q=soup&page=1&per_page=20"))
            #expect(text.contains("Authorization: Bearer ‹secret›"))
            #expect(text.contains("It answered 200, application/json, "))
            #expect(
                text.contains("It has 20 elements, which become 20 hits; it claims 57 in all; there are more pages.")
            )
            #expect(text.contains("\"id\": \"recipes.dishes:715415\""))
            #expect(text.contains("\"title\": \"Red lentil soup 0\""))
            #expect(text.contains("\"name\": \"Red <b>lentil</b> soup 0\""))
            #expect(text.contains("\"url\": \"https://recipes.example/recipes/715415\""))
            #expect(text.contains("\"thumbnail\": \"https://img.recipes.example/0.jpg\""))
            #expect(text.contains("Hit 3:") && !text.contains("Hit 4:"))
            #expect(!text.contains(recipes.key))
        }
    }

    @Test func `a trial names the fields that stay empty and the elements that become no hit`() async throws {
        try await withRecipes { recipes in
            let newcomer = Newcomer(recipes) { $0.replacing("from: \"stars\"", with: "from: \"stras\"") }
            let (text, status) = try newcomer.check(trying: "odd")
            #expect(status == 0)
            #expect(text.contains("It has 20 elements, which become 10 hits"))
            #expect(text.contains("No hit has a value for hit.extra.rating."))
            #expect(text.contains("Element 2 becomes no hit"))
            #expect(text.contains("\"advertisement\": \"Buy pots\""))
        }
    }

    @Test func `a trial that maps nothing ends as a wrong file, one that finds nothing as nothing found`() async throws
    {
        try await withRecipes { recipes in
            let newcomer = Newcomer(recipes) {
                $0.replacing("from: \"name\"", with: "from: \"title\"").replacing(
                    "from: \"path\"",
                    with: "from: \"link\""
                )
            }
            let wrong = try newcomer.check(trying: "soup")
            #expect(wrong.status == 78)
            #expect(wrong.text.contains("become 0 hits"))
            let nothing = try Newcomer(recipes).check(trying: "nothing")
            #expect(nothing.status == 1)
            #expect(nothing.text.contains("try a query that finds something"))
        }
    }

    @Test func `an answer that is not what the file expects is shown as it begins, without keys and escapes`()
        async throws
    {
        try await withRecipes { recipes in
            let (text, status) = try Newcomer(recipes).check(trying: "broken")
            #expect(status == 78)
            #expect(text.contains("not in its format"))
            #expect(text.contains("<html>\\u{1b}[31mOops‹secret›</html>"))
            #expect(!text.contains(recipes.key) && !text.contains("\u{1B}"))
            let path = Newcomer(recipes) { $0.replacing("\"results\"", with: "\"hits\"") }
            #expect(try path.check(trying: "soup").status == 78)
        }
    }
}
