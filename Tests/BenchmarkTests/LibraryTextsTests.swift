import JSON
import Testing

@testable import Benchmark

@Suite struct LibraryTextsTests {
    @Test func `items are JSON, all different, and the same in every run`() throws {
        var (texts, again) = (LibraryTexts(seed: 5), LibraryTexts(seed: 5))
        let items = texts.items(50, "x")
        #expect(items.map(\.json) == again.items(50, "x").map(\.json))
        let titles = try items.map { try JSONDocument(Array($0.json.utf8)).root["title"]?.string }
        #expect(Set(titles).count > 45 && !titles.contains(nil) && Set(items.map(\.id)).count == 50)
    }

    @Test func `a word is typed completely, by its initial consonants, or up to its second vowel`() {
        #expect(LibraryTexts.Typing.word.typed("고양이") == "고양이")
        #expect(LibraryTexts.Typing.initials.typed("고양이") == "ㄱㅇㅇ")
        #expect(LibraryTexts.Typing.initials.typed("책상") == "ㅊㅅㅊ")
        #expect(LibraryTexts.Typing.half.typed("고양이") == "고야")
    }
}
