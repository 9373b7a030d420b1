@_spi(_Unicode) import Swift
import TestSupport
import Testing

@testable import Hangul

@Suite("A typed pattern")
struct TypedPatternTests {
    private func match(_ typed: String, _ text: String) -> TypedMatch? {
        TypedPattern(typed)?.match(in: FoldedText(text))
    }

    @Test(
        arguments: [
            ("고양이", "고양이", .exact, .whole), ("고양", "고양이", .exact, .beginning), ("양이", "고양이", .exact, .inside),
            ("사료", "고양이 사료", .exact, .word), ("고양이사료", "고양이 사료", .exact, .whole), ("고양이 사료", "고양이사료", .exact, .whole),
            ("고야", "고양이", .unfinished, .beginning), ("고양ㅇ", "고양이", .initials, .whole), ("과ㄴ", "관", .exact, .whole),
            ("고", "과자", .unfinished, .beginning), ("각", "가게", .unfinished, .beginning),
            ("닭", "달걀", .unfinished, .beginning),
            ("ㄱㅇㅇ", "고양이", .initials, .whole), ("고ㅇㅇ", "고양이", .initials, .whole), ("공ㅇ", "고양이", .initials, .whole),
            ("ㄱㅇㅇ", "길고양이", .initials, .inside), ("ㄳ", "감사합니다", .initials, .beginning),
            ("ㅋㅋ", "ㅋㅋㅋ", .exact, .beginning),
            ("ㅅㄹ", "고양이 사료", .initials, .word), ("dkssud", "안녕하세요", .layout, .beginning),
            ("ㅗ디ㅣㅐ", "Hello, world", .layout, .beginning),
            ("재깅", "hello world", .layout, .word), ("rhdid", "고양이", .layout, .beginning),
            ("HELLO", "hello", .exact, .whole),
            ("cafe", "Café Müller", .exact, .beginning), ("cafe", "Cafe\u{301}", .exact, .whole),
            ("２０", "2024", .exact, .beginning),
            ("c#", "C# in depth", .exact, .beginning), ("dont", "Don’t panic", .exact, .beginning),
            ("🐱", "🐱 고양이", .exact, .beginning),
            ("고양", "고야의 그림", .unfinished, .beginning), ("과ㄴ", "관심", .exact, .beginning),
            ("과ㄴ", "과니", .unfinished, .beginning),
            ("가ㅂㅅ", "값", .exact, .whole), ("값ㅇ", "가방상인", .initials, .whole), ("ㄱㅗㅇㅑㅇ", "고양이", .exact, .beginning),
            ("고ㅏ", "과자", .exact, .beginning), ("ﾡￂ", "가", .exact, .whole), ("ㄳㅎㄴㄷ", "감사합니다", .initials, .whole),
            ("고양이tv", "고양이 TV", .exact, .whole), ("고양이 tv", "고양이TV", .exact, .whole),
            ("ㅇㅇㅍ15", "아이폰 15", .initials, .whole), ("ㄱㅇㅇ cat", "고양이 Cat", .initials, .whole),
            ("dkdlvhs15", "아이폰 15", .layout, .whole), ("ㅑㅔㅙㅜㄷ15", "iPhone 15", .layout, .whole),
            ("ㅗㄷ", "Hello", .layout, .beginning), ("rhdd", "고양이", .layout, .whole), ("tprP", "세계", .layout, .whole),
            ("ㅅㄷㄴㅅ", "Test", .layout, .whole), ("mp3", "MP 3", .exact, .whole),
            ("Rkc", "까치", .layout, .beginning),
            ("ㅆㅗㄷ", "The cat", .layout, .beginning), ("ㅛㅐㅕ셔ㅠㄷ", "YouTube", .layout, .whole),
            ("고양이 ", "고양이 사료", .exact, .beginning), ("go ", "Go home", .exact, .beginning),
            ("고야 ", "고야", .exact, .whole), ("각", "각ㅋㅋ", .exact, .beginning), ("고\u{3164}양", "고양이", .exact, .beginning),
        ] as [(String, String, TypedMatch.Form, TypedMatch.Position)]
    )
    func `a pattern matches a text with the expected form and position`(
        typed: String,
        text: String,
        form: TypedMatch.Form,
        position: TypedMatch.Position
    ) {
        #expect(match(typed, text) == TypedMatch(form: form, position: position))
        #expect(match(typed, String(String.UnicodeScalarView(text._nfd))) == TypedMatch(form: form, position: position))
        #expect(match(String(String.UnicodeScalarView(typed._nfd)), text) == match(typed, text))
    }

    @Test(arguments: [
        ("고양", "고용"), ("고양이", "고양"), ("ㄱㅇㅇ", "고양"), ("ㄱㄱ", "까까"), ("ㅏ", "가"), ("고ㅇㅇ", "강아지"), ("각", "가 거리"),
        ("an dy", "andy"), ("andy", "an dy"), ("고", "싸과"), ("dks", "hello"), ("ㄲ", "가"), ("an", "무"), ("새", "tomorrow"),
        ("양", "야구"), ("phone", "iPhone"), ("고ㅇㅇ", "공원"), ("고야 ", "고양이"), ("go ", "google"), ("뭉", "War and Peace"),
        ("닭", "다리 건강"), ("and", "뭉치"), ("css", "친노니"), ("Rkc", "가치"), ("고양이", "고양아"), ("ㅠㅠ", "BBC"), ("ㅋㅋ", "zz top"),
        ("각", "가ㅋㅋ"), ("tv고", "tv 호"),
    ])
    func `a pattern does not match a text with different letters or word breaks`(typed: String, text: String) {
        #expect(match(typed, text) == nil)
    }

    @Test func `a pattern matches a text after each key that is typed`() throws {
        var random = SeededGenerator(seed: testSeed())
        let words =
            ["고양이", "왕관", "닭갈비", "값싼 웹툰", "의사 선생님", "꽃밭에서"].map { $0 }
            + (0..<300).map { _ in
                String((0..<4).map { _ in Character(SyllableTests.all.randomElement(using: &random)?.scalar ?? "가") })
            }
        for word in words {
            let keys = Array(KeyboardLayout.keys(of: word.unicodeScalars))
            for count in 1...keys.count where keys[count - 1] != " " {
                var composer = SyllableComposer()
                for key in keys.prefix(count) { composer.type(key) }
                let typed = composer.finish()
                try #require(match(typed, word) != nil, "\(typed), \(word)")
            }
        }
    }

    @Test func `initials match a text if and only if its syllables have these initials in Unicode`() throws {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<500 {
            let chosen = (0..<3).map { _ in SyllableTests.all.randomElement(using: &random) ?? ("가", ["ㄱ", "ㅏ"]) }
            let text = String(String.UnicodeScalarView(chosen.map(\.scalar)))
            let initials = String(String.UnicodeScalarView(chosen.map { $0.letters[0] }))
            try #require(match(initials, text) == TypedMatch(form: .initials, position: .whole))
            let other = SyllableTests.all.randomElement(using: &random) ?? ("가", ["ㄱ", "ㅏ"])
            let wrong = String(String.UnicodeScalarView(chosen.dropLast().map(\.scalar) + [other.scalar]))
            let agrees = other.letters[0] == chosen[2].letters[0]
            try #require((match(initials, wrong) != nil) == agrees)
        }
    }

    @Test(arguments: [
        ("고얀이", "고양이", true), ("고양미", "고양이", true), ("고야이", "고양이", true), ("고양아지", "고양이", false),
        ("helo", "hello", true),
        ("hlelo", "hello", true), ("hxllo", "hello", true), ("helllo", "hello", true), ("hxxlo", "hello", false),
        ("wrld", "hello world", true),
        ("hel", "xyz", false), ("hi", "ho", false), ("고야", "고요", false), ("고얀", "고양이", true), ("사려", "사료", false),
    ])
    func `a pattern with one typo matches the beginning of a word`(typed: String, text: String, expected: Bool) {
        #expect((TypedPattern(typed)?.matchWithTypo(in: FoldedText(text)) != nil) == expected)
    }

    @Test(arguments: [
        ("양이", "고양이"), ("고양", "길고양이 고용"), ("ㅇㅇ", "고양이"), ("cat", "고양이cat"), ("년", "2024년"),
    ])
    func `a pattern that must begin at a word does not match inside a word`(typed: String, text: String) {
        #expect(TypedPattern(typed)?.match(in: FoldedText(text), atWords: true) == nil)
        #expect(match(typed, text) != nil || typed == "년")
    }

    @Test func `a pattern that must begin at a word skips a match inside a word`() {
        let match = TypedPattern("고양")?.match(in: FoldedText("길고양이 고야의"), atWords: true)
        #expect(match == TypedMatch(form: .unfinished, position: .word))
    }

    @Test(arguments: [
        ("dkssud", "안녕"), ("rhdiddl", "고양이"), ("ㅗ디ㅣㅐ", "hello"), ("재깅", "world"), ("ㅛㅐㅕ셔ㅠㄷ", "youtube"),
        ("rhdiddl tkfy", "고양이 사료"), ("고양이", nil), ("강아지", nil), ("사람", nil), ("hello", nil), ("rhdd", nil),
        ("ㅋㅋㅋ", nil),
        ("ㅠㅠㅠㅠ", nil), ("", nil), ("고양이 cat", nil), ("1234", nil),
    ])
    func `text in the wrong layout is converted if the result is plausible`(typed: String, corrected: String?) {
        #expect(WrongLayout.corrected(typed) == corrected)
    }

    @Test func `a pattern that is empty or too long is refused`() {
        #expect(TypedPattern(String(repeating: "ㅋ", count: TypedPattern.lengthMax)) != nil)
        #expect(TypedPattern(String(repeating: "ㅋ", count: TypedPattern.lengthMax + 1)) == nil)
        #expect(TypedPattern(" …!") == nil)
        #expect(TypedPattern("") == nil)
    }

    @Test(arguments: [
        "ㅋ", "\u{1100}", "\u{11A8}\u{1161}\u{1100}", "가\u{301}\u{302}", "\u{FFA1}", "\u{1113}\u{119E}", "👩‍👩‍👧‍👦", "שלום",
        "\u{200F}\u{202E}", "\u{A960}", "ㄳㅘ",
    ])
    func `a pattern may contain any characters`(piece: String) {
        let long = String(repeating: piece, count: 1024 / piece.utf8.count)
        let text = FoldedText(long)
        #expect(text.wordBegins.count == text.scalars.count)
        #expect(TypedPattern(long)?.match(in: text)?.form ?? .exact == .exact)
        if let pattern = TypedPattern(piece) {
            #expect(pattern.match(in: text) != nil)
            #expect(pattern.matchWithTypo(in: text)?.form ?? .typo == .typo)
        }
    }
}

@Suite("A folded text")
struct FoldedTextTests {
    @Test func `FoldedText has the same result on its fast path and on its slow path`() {
        var random = SeededGenerator(seed: testSeed())
        let letters = ["고", "양", "힣", "가", " ", "  ", "a", "z", "0", "9"]
        for _ in 0..<300 {
            let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                letters.randomElement(using: &random) ?? ""
            }.joined()
            // An ignored character prevents the fast path.
            #expect(FoldedText(text) == FoldedText(text + "\u{200B}"), "\(text)")
        }
    }

    @Test(arguments: ["가\u{11A8}", "고양ㅇ", "Cafe\u{301}", "한글, 漢字", "ㄳ", "\u{1100}\u{1161}", "A1", "\u{EA00}\u{D7A4}"])
    func `FoldedText uses the slow path for letters that may join the previous letter`(text: String) {
        #expect(FoldedText("고 1" + text) == FoldedText("\u{200B}고 1" + text))
    }

    @Test func `FoldedText has the same result if the text is appended in two parts`() {
        for (first, second) in [("고", "양이"), ("고 ", "양이"), ("고", "Ä"), ("고 ", "Ä")] {
            var (text, pending) = (FoldedText(), true)
            text.append(first, wordPending: &pending)
            text.append(second, wordPending: &pending)
            #expect(text == FoldedText(first + second))
        }
    }
}

@Suite struct FoldedBytesTests {
    private func words(_ text: String) -> [String] {
        let folded = FoldedBytes(text)
        var words: [[UInt8]] = []
        for (byte, isStart) in zip(folded.bytes, folded.starts) {
            if isStart { words.append([]) }
            words[words.count - 1].append(byte)
        }
        return words.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        ("Cat, DOG—bird", ["cat", "dog", "bird"]), ("  고양이\u{3000}사료 ", ["고양이", "사료"]),
        ("아이폰15 Pro", ["아이폰", "15", "pro"]),
        ("King's Cross", ["kings", "cross"]), ("Ｓｗｉｆｔ　６", ["swift", "6"]), ("Café Zürich", ["cafe", "zurich"]),
        ("mp3", ["mp", "3"]), ("3D", ["3d"]), ("…!?", []), ("", []), ("東京タワー", ["東京タワー"]),
        ("ㅋㅋ 1,000", ["ㅋㅋ", "1", "000"]),
        ("Straße · №", ["strasse"]),
    ])
    func `a text becomes words in lower case and ordinary width, without accents`(text: String, expected: [String]) {
        #expect(words(text) == expected)
    }

    @Test func `both normal forms give the same bytes`() {
        for (composed, decomposed) in [
            ("고양이", "\u{1100}\u{1169}\u{110B}\u{1163}\u{11BC}\u{110B}\u{1175}"), ("é", "e\u{301}"),
        ] {
            #expect(FoldedBytes(composed).bytes == FoldedBytes(decomposed).bytes)
        }
        #expect(words("ABC \u{1100}\u{1161}나") == ["abc", "가나"])
    }

    @Test func `a text that is too long is cut after a whole letter`() {
        for text in ["가나다라", "\u{1100}\u{1161}나다라"] {
            var folded = FoldedBytes()
            folded.append(text, bytesMax: 4)
            #expect(folded.bytes == Array("가나".utf8))
        }
    }

    @Test func `FoldedBytes begins a word at each appended text, and can be cleared and reused`() {
        var text = FoldedBytes("one")
        text.append("two")
        #expect(text.bytes == Array("onetwo".utf8))
        #expect(text.isBoundary(3) && !text.isBoundary(4) && text.isBoundary(6))
        text.removeAll()
        text.append("é 둘")
        #expect(text.bytes == Array("e둘".utf8) && text.starts == [true, true, false, false])
    }
}
