import Hangul
import TestSupport
import Testing

@testable import Personal

@Suite("Suggestions")
struct SuggestionIndexTests {
    private static let day: Int64 = 86_400_000

    private static func index(_ suggestions: [Suggestion], hasFound: Bool = true) -> SuggestionIndex {
        var index = SuggestionIndex()
        for suggestion in suggestions {
            index.apply(.title(suggestion))
            if hasFound { index.apply(.found(suggestion.text)) }
        }
        return index
    }

    private static func searched(_ texts: [String]) -> SuggestionIndex {
        index(texts.enumerated().map { Suggestion($1, .history, at: Int64($0)) })
    }

    private static func texts(_ index: SuggestionIndex, _ typed: String, limit: Int = 8) -> [String] {
        index.suggestions(typed, limit: limit).map(\.text)
    }

    @Test(arguments: [
        "고", "고야", "고양", "고양ㅇ", "고양이", "ㄱㅇㅇ", "고ㅇㅇ", "공ㅇ", "rhd", "rhdid", "rhdiddl", "고양이 ㅅ", "고양이사",
        "ㅅㄹ", "사", "사료", "tkfy", "고얀이", "고양미", "\u{1100}\u{1169}\u{110B}\u{1163}", "고양이 사료",
    ])
    func `texts are found by prefixes, initials, the wrong keyboard layout and typos`(typed: String) {
        let index = Self.searched(["강아지", "고양이 사료", "hello world", "바다"])
        #expect(Self.texts(index, typed) == ["고양이 사료"])
    }

    @Test(arguments: [
        "양", "양이", "ㅇㅇ", "료", "고용하", "ㄱㅇㅈㅇ", "고양이 사료 더", "lo wo", "ㅗ", "…", "\u{301}", "ㅏ",
    ])
    func `input that does not match a text does not find the text`(typed: String) {
        #expect(Self.texts(Self.searched(["고양이 사료", "hello worlds"]), typed) == [])
    }

    @Test func `addresses are found only by addresses`() {
        let index = Self.searched(["https://example.org/", "example"])
        for typed in ["", "exa", "htt"] { #expect(!Self.texts(index, typed).contains("https://example.org/")) }
        #expect(Self.texts(index, "https://ex") == ["https://example.org/"])
    }

    @Test func `suggestions are sorted by frequency, recency and match quality`() {
        func order(_ typed: String, _ suggestions: Suggestion...) -> [String] {
            Self.texts(Self.index(suggestions), typed)
        }
        let now = 1000 * Self.day
        #expect(
            order(
                "고",
                Suggestion("고래", .history, at: now),
                Suggestion("고양이", .history, count: 5, at: now - Self.day)
            ) == ["고양이", "고래"]
        )
        #expect(
            order("고", Suggestion("고래", .history, at: now - 1), Suggestion("고양이", .history, at: now)) == ["고양이", "고래"]
        )
        #expect(
            order(
                "고",
                Suggestion("고래", .history, count: 3, at: now - 90 * Self.day),
                Suggestion("고양이", .history, at: now)
            ) == ["고양이", "고래"]
        )
        #expect(
            order("고", Suggestion("작은 고래", .history, at: now + 1), Suggestion("고양이", .history, at: now)) == [
                "고양이", "작은 고래",
            ]
        )
        #expect(
            order("고야", Suggestion("고양이", .history, at: now + 1), Suggestion("고야", .history, at: now)) == ["고야", "고양이"]
        )
        #expect(
            order(
                "고",
                Suggestion("고래", .title, at: now),
                Suggestion("고요", .saved, at: now),
                Suggestion("고양이", .history, at: now)
            ) == ["고양이", "고요", "고래"]
        )
        #expect(
            order("dks", Suggestion("안녕", .history, count: 99, at: now), Suggestion("DKS", .title, at: 0)) == [
                "DKS", "안녕",
            ]
        )
        #expect(
            order("고양이", Suggestion("고얌이", .history, count: 99, at: now), Suggestion("고양이", .title, at: 0)) == ["고양이"]
        )
    }

    @Test func `if the typed text is blank, the highest-ranked suggestions are returned`() {
        let index = Self.searched(["하나", "둘", "셋"])
        #expect(Self.texts(index, "", limit: 2) == ["셋", "둘"])
        #expect(Self.texts(index, " \t", limit: 2) == ["셋", "둘"])
        #expect(Self.texts(index, "?!") == [])
    }

    @Test func `suggestions with the same text become one, and a query replaces any title`() {
        var index = Self.index([Suggestion("고양이", .title, count: 4, at: 5), Suggestion("고양이", .saved, at: 3)])
        #expect(index.suggestions("고", limit: 8) == [Suggestion("고양이", .saved, at: 3)])
        index.apply(.searched("고양이", at: 7))
        index.apply(.title(Suggestion("고양이", .title, count: 9, at: 9)))
        index.apply(.searched("고양이", at: 8))
        #expect(index.suggestions("고", limit: 8) == [Suggestion("고양이", .history, count: 2, at: 8)])
        #expect(index.count == 1)
    }

    @Test func `if an item is removed, its title is suggested only if the title was a query or is added again`() {
        var index = Self.index([Suggestion("고양이", .saved, at: 3), Suggestion("고래", .history, at: 4)])
        for title in ["고양이", "고래", "고요"] { index.apply(.removed(title: title)) }
        #expect(Self.texts(index, "고") == ["고래"])
        index.apply(.title(Suggestion("고양이", .title, count: 1, at: 5)))
        #expect(Set(Self.texts(index, "고")) == ["고래", "고양이"])
    }

    @Test func `the title of two saved items is hidden when both are removed`() {
        var index = Self.index([])
        for at in 1...2 { index.apply(.title(Suggestion("고양이", .saved, at: Int64(at)), isNewItem: true)) }
        index.apply(.removed(title: "고양이"))
        #expect(Self.texts(index, "고") == ["고양이"])
        index.apply(.removed(title: "고양이"))
        #expect(Self.texts(index, "고") == [])
    }

    @Test func `expired suggestions are left out, except saved items`() {
        let index = Self.index([
            Suggestion("고래", .history, at: 99), Suggestion("고요", .saved, at: 1), Suggestion("고양이", .history, at: 100),
        ])
        let found = index.suggestions("고", limit: 8, since: 100).map(\.text)
        #expect(found == ["고양이", "고요"])
    }

    @Test func `suggestions can be restricted to a kind, even if suggestions of other kinds rank higher`() {
        let index = Self.index([
            Suggestion("고래", .history, count: 9, at: 99), Suggestion("고요", .saved, at: 1),
            Suggestion("고개", .title, at: 98),
        ])
        #expect(index.suggestions("고", limit: 1, kind: .saved).map(\.text) == ["고요"])
    }

    @Test func `foundOnly returns only texts that are known to find something`() {
        var index = Self.index(
            [Suggestion("고래", .history, at: 0), Suggestion("고양이", .history, at: 1)],
            hasFound: false
        )
        func found() -> [String] { index.suggestions("고", limit: 8, foundOnly: true).map(\.text) }
        #expect(found() == [])
        index.apply(.found("고래"))
        index.apply(.title(Suggestion("고요", .title, at: 0)))
        #expect(found() == ["고래", "고요"])
        #expect(Self.texts(index, "고") == ["고래", "고요", "고양이"])
    }

    @Test func `the index returns the same suggestions as a scan of all texts`() throws {
        var random = SeededGenerator(seed: testSeed())
        let parts = ["고양이", "고야", "과자", "관심", "강아지", "닭갈비", "값", "hello", "help", "The", "안녕", "15", "ㅋㅋ", "Café"]
        var suggestions: [Suggestion] = []
        for number in 0..<1000 {
            let words = (0..<Int.random(in: 1...3, using: &random)).map { _ in parts.randomElement(using: &random) ?? ""
            }
            let text = (words + ["\(number % 250)"]).joined(separator: " ")
            let kind = Suggestion.Kind.allCases.randomElement(using: &random) ?? .title
            suggestions.append(Suggestion(text, kind, count: Int.random(in: 1...9, using: &random), at: Int64(number)))
        }
        var index = SuggestionIndex()
        for suggestion in suggestions {
            index.apply(.title(suggestion))
            index.apply(.found(suggestion.text))
        }
        for typed in [
            "고", "고야", "고양", "ㄱ", "ㄱㅇㅇ", "과ㄴ", "hel", "dkssud", "ㅗ디", "값ㄱ", "1", "1 5", "ㅋ", "the 고", "helo", "곤양이 1",
        ] {
            for limit in [1, 8, 100] {
                let expected = Self.model(suggestions, typed, limit)
                let scores = expected.map(\.score)
                let found = index.suggestions(typed, limit: limit)
                try #require(found.count == scores.count, "\(typed)")
                try #require(found.map { Self.score($0, typed) } == scores, "\(typed), \(limit)")
            }
        }
    }

    private static func score(_ suggestion: Suggestion, _ typed: String) -> Double? {
        let pattern = TypedPattern(typed)
        let text = FoldedText(suggestion.text)
        let match = pattern?.match(in: text, atWords: true) ?? pattern?.matchWithTypo(in: text)
        let value = SuggestionScore.value(suggestion, hasFound: true)
        let tier: Double =
            switch match?.form {
            case .exact, .unfinished, .initials, .layout: 20_000
            case .typo, nil: 0
            }
        return match.map { value - SuggestionScore.loss($0) + tier }
    }

    private static func model(
        _ suggestions: [Suggestion],
        _ typed: String,
        _ limit: Int
    ) -> [(text: String, score: Double)] {
        var byText: [String: Suggestion] = [:]
        for suggestion in suggestions where byText[suggestion.text].map({ $0.kind <= suggestion.kind }) ?? true {
            byText[suggestion.text] = suggestion
        }
        let all = byText.values.compactMap { suggestion in score(suggestion, typed).map { (suggestion.text, $0) } }
        let best = all.contains { $0.1 > 900 } ? all.filter { $0.1 > 900 } : all
        return Array(best.sorted { $0.1 > $1.1 }.prefix(limit))
    }

    @Test func `suggestions have a maximum length and number`() {
        var index = SuggestionIndex()
        func add(_ text: String) { index.apply(.title(Suggestion(text, .title, at: 0))) }
        add(String(repeating: "a", count: SuggestionIndex.textBytesMax))
        #expect(index.count == 1)
        add(String(repeating: "a", count: SuggestionIndex.textBytesMax + 1))
        add("")
        #expect(index.count == 1)
        for number in 1..<SuggestionIndex.entriesMax { add("\(number)") }
        #expect(index.isFull && index.count == SuggestionIndex.entriesMax)
        add("more")
        #expect(index.count == SuggestionIndex.entriesMax)
    }

    @Test(arguments: [
        "ㅋ", "\u{1100}", "\u{11A8}", "가\u{301}", "\u{FFA1}", "\u{119E}", "👩‍👩‍👧‍👦", "שלום", "\u{202E}", "ㄳㅘ", "\u{3164}",
    ])
    func `any text can be added and looked up without a crash`(piece: String) {
        let long = String(repeating: piece, count: 512 / piece.utf8.count)
        let index = Self.searched([NormalForm.line(piece), NormalForm.line(long), "고양이"])
        for typed in [piece, long, piece + "고", long + long] {
            #expect(Self.texts(index, typed).allSatisfy { !$0.isEmpty })
        }
    }
}
