import TestSupport
import Testing

@testable import SearchModel

@Suite("Names of sources and kinds")
struct NameTests {
    @Test(arguments: ["a.b", "kakao.blog", "naver.api-hub.image_2", "0.1", "-._", "a.b.c.d"])
    func `a text of valid parts is a source name`(text: String) {
        #expect(SourceName(text)?.text == text)
        #expect(SourceName(text)?.description == text)
    }

    @Test(arguments: [
        "", "a", "a.", ".a", ".", "..", "a..b", "a.b.", ".a.b", "kakao", "Kakao.blog", "kakao.블로그", "kakao blog",
        "a.b ",
        "kakao.*", "a/b.c", "a.b\n", "a.\u{212A}",
    ])
    func `a text with an invalid part is not a source name`(text: String) {
        #expect(SourceName(text) == nil)
    }

    @Test func `a source name has at most 64 bytes`() {
        #expect(SourceName("a." + String(repeating: "b", count: 62)) != nil)
        #expect(SourceName("a." + String(repeating: "b", count: 63)) == nil)
    }

    @Test func `the account of a source is its name up to the first dot`() {
        #expect(SourceName("naver.hub.blog")?.account == "naver")
        #expect(SourceName("a.b")?.account == "a")
    }

    @Test func `source names sort alphabetically`() {
        let names = ["kakao.web", "kakao.blog", "itunes.app", "kakao.blog2"].compactMap { SourceName($0) }
        #expect(names.sorted().map(\.text) == ["itunes.app", "kakao.blog", "kakao.blog2", "kakao.web"])
    }

    @Test(arguments: ["a", "blog", "mp3", "x0"]) func `a word of small letters and digits is a kind`(text: String) {
        #expect(Kind(text)?.text == text)
        #expect(Kind(text)?.description == text)
    }

    @Test(arguments: ["", "3d", "Blog", "web page", "web-page", "web_page", "블로그", "a\0", "é"])
    func `a text with other characters or a leading digit is not a kind`(text: String) {
        #expect(Kind(text) == nil)
    }

    @Test func `a kind has at most 32 bytes`() {
        #expect(Kind(String(repeating: "k", count: 32)) != nil)
        #expect(Kind(String(repeating: "k", count: 33)) == nil)
    }
}

struct GlobTests {
    @Test(arguments: [
        ("kakao.blog", "kakao.blog"), ("kakao.blog", "*"), ("", "*"), ("", ""), ("", "**"), ("kakao.blog", "kakao.*"),
        ("kakao.blog", "*.blog"), ("kakao.blog", "k*o.b*g"), ("kakao.blog", "kakao.blog*"),
        ("kakao.blog", "*kakao.blog"),
        ("aaab", "*ab"), ("abcabc", "*abc"), ("abab", "*a*b"), ("고양이.블로그", "고*블*그"),
    ])
    func `a star matches any number of characters`(text: String, pattern: String) {
        #expect(Glob.matches(text, pattern))
    }

    @Test(arguments: [
        ("kakao.blog", "kakao"), ("kakao.blog", "blog"), ("kakao.blog", ""), ("", "a"), ("", "a*"),
        ("kakao.blog", "naver.*"),
        ("kakao.blog", "*.web"), ("kakao.blog", "kakao.blog.*"), ("ab", "*b*a*"), ("kakao.blog", "KAKAO.*"),
        ("ab", "a?"),
    ])
    func `a character that is not a star matches only itself`(text: String, pattern: String) {
        #expect(!Glob.matches(text, pattern))
    }

    @Test func `a pattern that is too long matches nothing`() {
        let longest = String(repeating: "*", count: Glob.patternBytesMax)
        #expect(Glob.matches("kakao.blog", longest))
        #expect(!Glob.matches("kakao.blog", longest + "*"))
    }

    @Test func `random texts and patterns match as in the recursive definition`() {
        func isMatch(_ text: Substring.UTF8View, _ pattern: Substring.UTF8View) -> Bool {
            guard let first = pattern.first else { return text.isEmpty }
            if first == UInt8(ascii: "*") {
                return isMatch(text, pattern.dropFirst()) || (!text.isEmpty && isMatch(text.dropFirst(), pattern))
            }
            return text.first == first && isMatch(text.dropFirst(), pattern.dropFirst())
        }
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<2000 {
            let text = String(
                (0..<Int.random(in: 0...8, using: &random)).map { _ in "ab".randomElement(using: &random) ?? "a" }
            )
            let pattern = String(
                (0..<Int.random(in: 0...8, using: &random)).map { _ in "ab*".randomElement(using: &random) ?? "*" }
            )
            #expect(Glob.matches(text, pattern) == isMatch(text[...].utf8, pattern[...].utf8))
        }
    }

    @Test func `a pattern with many stars does not take exponential time`() {
        let text = String(repeating: "a", count: 2000)
        #expect(!Glob.matches(text, String(repeating: "*a", count: 30) + "b"))
    }
}

struct NearestNameTests {
    @Test(arguments: [
        ("serch", "search"), ("saerch", "search"), ("searhc", "search"), ("searchh", "search"), ("Search", "search"),
        ("server/pong", "server/ping"), ("kakao.blgo", "kakao.blog"), ("cache/state", "cache/stats"),
    ])
    func `a typo finds the correct name`(word: String, expected: String) {
        let names = ["server/ping", "server/stats", "search", "search/suggest", "kakao.blog", "cache/stats"]
        #expect(NearestName.of(word, among: names) == expected)
    }

    @Test(arguments: ["", "nothing", "sear", "고양이"]) func `a different word finds nothing`(word: String) {
        #expect(NearestName.of(word, among: ["search", "server/ping"]) == nil)
    }

    @Test func `if several names are equally near, the first is returned`() {
        #expect(NearestName.of("bat", among: ["cat", "hat"]) == "cat")
        #expect(NearestName.of("bat", among: ["cat", "hat", "bat"]) == "bat")
    }

    @Test func `words and candidates above 128 bytes are not compared`() {
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
