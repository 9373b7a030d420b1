import Hangul
import JSON
import TestSupport
import Testing

@testable import Personal

@Suite("The index of the library")
struct TypedWordsTests {
    /// Evaluates an expression of quoted prefixes, AND, OR and parentheses.
    private static func finds(_ expression: String, _ tokens: Set<String>) -> Bool {
        var rest = Substring(expression)
        func term() -> Bool {
            if rest.first == "(" {
                rest.removeFirst()
                let value = either()
                rest.removeFirst()
                return value
            }
            rest.removeFirst()
            let prefix = rest.prefix { $0 != "\"" }
            rest = rest.dropFirst(prefix.count + 2)
            return tokens.contains { $0.hasPrefix(prefix) }
        }
        func both() -> Bool {
            var value = term()
            while rest.hasPrefix(" AND ") {
                rest = rest.dropFirst(5)
                let other = term()
                value = value && other
            }
            return value
        }
        func either() -> Bool {
            var value = both()
            while rest.hasPrefix(" OR ") {
                rest = rest.dropFirst(4)
                let other = both()
                value = value || other
            }
            return value
        }
        return either()
    }

    private static func tokens(_ text: String) -> Set<String> {
        let tokens = IndexTokens([FoldedText(text)]).text
            .split { $0.isASCII && !$0.isLetter && !$0.isNumber && !"_=".contains($0) }
        return Set(tokens.map { String($0) })
    }

    private static let texts = [
        "고양이 사료 추천", "길고양이를 부탁해", "Hello, world", "Café 2024 고양이", "ㅋㅋㅋ 웃긴 닭갈비", "猫の本棚", "전세 보증금 반환", "C# in Depth",
        "값비싼 웹툰", "iPhone17 케이스", "iPhone 15 Pro", "Galaxy 24 Ultra",
        "node.js 입문", "nodejs", "AC/DC", "3.14", "5,000원", "R&D 센터", "foo_bar", "e-mail", "2024-03-09", "물결~표", "~물결",
        "C++ 책",
        "cat", "a=b", "v1.2", "a+b", "iOS앱",
    ]
    private static let queries = [
        "고양이", "고야", "고양ㅇ", "ㄱㅇㅇ", "고ㅇㅇ", "공ㅇ", "양이", "사료", "고양이사료", "ㅅㄹ", "dkssud", "ㅗ디ㅣㅐ", "재깅", "rhdid", "cafe",
        "20", "고양이 2024",
        "닭", "달", "ㅋㅋ", "猫", "本", "전세보증금", "전세보증금반환", "c#", "값", "갑", "iphone17", "iphone케이스", "17케", "ㅇㅌ", "hello wor",
        "이사료추", "c", "고", "ㄱ", "iphone15", "iphone15pro", "15pro", "galaxy24 ul", "iphone 17",
        "node.js", "nodejs", "node.j", "js", "ac/dc", "acdc", "3.14", "314", "5,000원", "5,000", "000원", "r&d", "rd",
        "r&d센", "foo_bar",
        "e-mail", "email", "2024-03-09", "2024-03", "물결~표", "물결표", "~물결", "~물", "c++", "a=b", "a=", "v1.2", "v1", "a+b",
        "a+", "ios앱",
        "=a",
    ]

    @Test func `the index finds every text that a scan finds`() throws {
        for text in Self.texts {
            let folded = FoldedText(text)
            let tokens = Self.tokens(text)
            for query in Self.queries {
                let words = try #require(TypedWords(query))
                let found = Self.finds(words.expression, tokens)
                let isThere = words.match(in: [folded]) != nil
                if isThere { #expect(found, "\(query) in \(text): \(words.expression) \(tokens)") }
            }
        }
    }

    @Test func `while a word of a text is typed, the text is found after each keystroke`() throws {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<300 {
            let word = String(
                String.UnicodeScalarView(
                    (0..<Int.random(in: 1...6, using: &random)).map { _ in
                        Unicode.Scalar(UInt32.random(in: 0xAC00...0xD7A3, using: &random)) ?? "가"
                    }
                )
            )
            let tokens = Self.tokens("앞 \(word)뒤")
            let keys = KeyboardLayout.keys(of: word.unicodeScalars)
            for count in 1...keys.count {
                var composer = SyllableComposer()
                for key in keys.prefix(count) { composer.type(key) }
                let typed = composer.finish()
                let words = try #require(TypedWords(typed))
                #expect(Self.finds(words.expression, tokens), "\(typed) for \(word)")
            }
        }
    }

    @Test func `matches in the title rank first, and better matches before worse matches`() throws {
        let words = try #require(TypedWords("고양"))
        func rank(_ title: String, _ other: String = "") -> Int64? {
            let hit: JSONValue = ["title": .string(title), "snippet": .string(other)]
            return words.rank(hit.bytes)
        }
        let ranks = [
            rank("고양"), rank("고양이"), rank("길 고양이"), rank("사료", "고양"),
        ].map { $0 ?? .max }
        #expect(ranks == ranks.sorted() && Set(ranks).count == ranks.count)
        #expect(rank("사료", "강아지") == nil)
    }
}
