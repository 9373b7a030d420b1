import Testing

@testable import SearchModel

struct NearestNameTests {
    @Test(arguments: [
        ("serch", "search"), ("saerch", "search"), ("searhc", "search"), ("searchh", "search"), ("Search", "search"),
        ("server/pong", "server/ping"), ("kakao.blgo", "kakao.blog"), ("cache/state", "cache/stats"),
    ])
    func `a slip finds its word`(word: String, expected: String) {
        let names = ["server/ping", "server/stats", "search", "search/suggest", "kakao.blog", "cache/stats"]
        #expect(NearestName.of(word, among: names) == expected)
    }

    @Test(arguments: ["", "nothing", "sear", "고양이"]) func `another word finds nothing`(word: String) {
        #expect(NearestName.of(word, among: ["search", "server/ping"]) == nil)
    }

    @Test func `of equally near names the first is taken`() {
        #expect(NearestName.of("bat", among: ["cat", "hat"]) == "cat")
        #expect(NearestName.of("bat", among: ["cat", "hat", "bat"]) == "bat")
    }

    @Test func `a word has 128 bytes at most and longer candidates are passed over`() {
        let longest = String(repeating: "a", count: 128)
        #expect(NearestName.of(longest, among: [longest + "a", longest]) == longest)
        #expect(NearestName.of(longest + "a", among: [longest, longest + "a"]) == nil)
    }

    @Test(arguments: [
        ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "abd", 1), ("abc", "acb", 1),
        ("abcd", "badc", 2), ("abc", "ABC", 0), ("kitten", "sitting", 3), ("ab", "ba", 1), ("é", "e", 2),
    ])
    func `the distance counts edits and swaps`(from: String, to: String, edits: Int) {
        #expect(NearestName.distance(Array(from.utf8), Array(to.utf8)) == edits)
        #expect(NearestName.distance(Array(to.utf8), Array(from.utf8)) == edits)
    }
}
