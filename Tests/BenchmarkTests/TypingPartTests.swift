import Hangul
import Testing

@testable import Benchmark

@Suite struct TypingPartTests {
    @Test(arguments: [
        (TypingWay.initial, "ㄱ"), (.syllable, "고"), (.initials, "ㄱㅇㅇ"), (.half, "고야"), (.word, "고양이"),
        (.layout, "rhdiddl"),
    ])
    func `what is typed is on the way to a word`(_ way: TypingWay, _ typed: String) {
        #expect(way.typed(of: "고양이") == typed)
    }

    @Test func `a slip finds the word by nothing else`() throws {
        let pattern = try #require(TypedPattern(TypingWay.slip.typed(of: "고양이")))
        let text = FoldedText("고양이")
        #expect(pattern.match(in: text) == nil && pattern.slips(in: text) != nil)
    }

    @Test func `only typing is measured when it is named`() throws {
        let options = try Options(arguments: ["typing", "--rounds", "2"])
        #expect(options.parts == [.typing] && options.peers == [.searchd] && options.suggestions == 50_000)
        #expect(try !Options(arguments: []).parts.contains(.typing))
    }
}
