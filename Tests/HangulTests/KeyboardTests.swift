@_spi(_Unicode) import Swift
import TestSupport
import Testing

@testable import Hangul

@Suite("The keyboard layout")
struct KeyboardLayoutTests {
    @Test(arguments: [
        ("dkssud", "안녕"), ("rhdiddl", "고양이"), ("ekfr", "닭"), ("ekfrdl", "닭이"), ("ekfrl", "달기"), ("rkqtl", "갑시"),
        ("rkqt", "값"),
        ("dlTek", "있다"), ("Qkf", "빨"), ("dhkd", "왕"), ("dnpqxns", "웹툰"), ("rr", "ㄱㄱ"), ("hk", "ㅘ"), ("dmlwk", "의자"),
        ("xhRl", "토끼"), ("dkQk", "아빠"), ("rk sk", "가 나"), ("GKSrnr", "한국"), ("GKSRNR", "한꾺"), ("rk2", "가2"), ("", ""),
    ])
    func `Latin keys are converted to Hangul, as by an input method`(latin: String, hangul: String) {
        #expect(KeyboardLayout.hangul(typedAs: latin) == hangul)
    }

    @Test(arguments: [
        ("ㅗ디ㅣㅐ", "hello"), ("재깅", "world"), ("안녕", "dkssud"), ("닭이", "ekfrdl"), ("ㅘ", "hk"), ("값", "rkqt"),
        ("ㅆㄸㄸ", "TEE"),
        ("가 1", "rk 1"), ("\u{1100}\u{1161}\u{11A8}", "rkr"), ("\u{FFA1}", "r"), ("abc", "abc"),
    ])
    func `Hangul is converted to Latin keys`(hangul: String, latin: String) {
        #expect(KeyboardLayout.latin(typedAs: hangul) == latin)
    }

    @Test func `every syllable is the same after a conversion to Latin and back`() throws {
        for (scalar, _) in SyllableTests.all {
            let latin = KeyboardLayout.latin(typedAs: String(scalar))
            try #require(latin.allSatisfy { $0.isASCII && $0.isLetter }, "\(scalar)")
            try #require(KeyboardLayout.hangul(typedAs: latin) == String(scalar), "\(latin)")
        }
    }

    @Test func `random texts and random keys are the same after a conversion and back`() throws {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<2000 {
            let text = String(
                (0..<6).map { _ in Character(SyllableTests.all.randomElement(using: &random)?.scalar ?? "가") }
            )
            try #require(KeyboardLayout.hangul(typedAs: KeyboardLayout.latin(typedAs: text)) == text)
            let keys = String(
                (0..<12).map { _ in "qwertyuiopasdfghjklzxcvbnmQWERTOP ".randomElement(using: &random) ?? "q" }
            )
            try #require(KeyboardLayout.latin(typedAs: KeyboardLayout.hangul(typedAs: keys)) == keys)
        }
    }
}

@Suite("Hangul and a reference model")
struct KeyModelTests {
    @Test func `all syllables have the same keys, initials and width as in the model`() throws {
        for (scalar, _) in SyllableTests.all {
            let keys = KeyModel.keys(scalar)
            try #require(String(String.UnicodeScalarView(KeyboardLayout.keys(of: [scalar]))) == keys)
            try #require(Character(Jamo.initial(of: scalar)) == KeyModel.initial(scalar))
            let decomposed = String(String.UnicodeScalarView(String(scalar)._nfd))
            try #require(DisplayWidth.columns(of: String(scalar)) == 2 && DisplayWidth.columns(of: decomposed) == 2)
            try #require(FoldedText(decomposed) == FoldedText(String(scalar)))
        }
    }

    @Test func `each syllable is found by its first keys and by its Latin keys, but not by a wrong initial`() throws {
        for (scalar, _) in SyllableTests.all {
            let text = FoldedText("\(scalar)나다")
            let keys = KeyModel.keys(scalar)
            for count in 1...keys.count {
                let typed = KeyModel.typed(String(keys.prefix(count)))
                let match = TypedPattern(typed)?.match(in: text, atWords: true)
                try #require(
                    match.map { $0.form < .layout && $0.position == .beginning } == true,
                    "\(typed), \(scalar)"
                )
            }
            let latin = KeyboardLayout.latin(typedAs: "\(scalar)나다")
            try #require(TypedPattern(latin)?.match(in: text)?.form == .layout, "\(latin)")
            let other = KeyModel.initial(scalar) == "ㅎ" ? "ㅋ" : "ㅎ"
            try #require(TypedPattern(other)?.match(in: text, atWords: true) == nil)
        }
    }

    @Test func `keys compose to the same text as in the model`() throws {
        var random = SeededGenerator(seed: testSeed())
        let keys = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎㅏㅐㅑㅒㅓㅔㅕㅖㅗㅛㅜㅠㅡㅣㅗㅜㅏㅣㄱㄹㅂㅅㄴㅇ"
        for _ in 0..<20_000 {
            let typed = String(
                (0..<Int.random(in: 1...10, using: &random)).map { _ in keys.randomElement(using: &random) ?? "ㄱ" }
            )
            var composer = SyllableComposer()
            for key in typed.unicodeScalars { composer.type(key) }
            try #require(composer.finish() == KeyModel.typed(typed), "\(typed)")
        }
    }

    @Test func `random patterns match the same words as in the model`() throws {
        var random = SeededGenerator(seed: testSeed())
        let letters = Array("가각갃갅강거과곽관고곡공곳곿아악앙앗오옥와왁사산삯상소솨갔값닭달걀ㄱㅅㅇㄱㅅㅇ".unicodeScalars)
        func text(_ lengths: ClosedRange<Int>) -> [Unicode.Scalar] {
            (0..<Int.random(in: lengths, using: &random)).map { _ in letters.randomElement(using: &random) ?? "가" }
        }
        var counts = (yes: 0, no: 0)
        for _ in 0..<20_000 {
            let (typed, word) = (text(1...3), text(1...4))
            let match = TypedPattern(String(String.UnicodeScalarView(typed)))?
                .match(in: FoldedText(String(String.UnicodeScalarView(word))), atWords: true)
            let isMatch = match.map { $0.form < .layout } == true
            let expected = KeyModel.matches(typed, word)
            if expected { counts.yes += 1 } else { counts.no += 1 }
            let shown = typed.map { String($0) }.joined() + " in " + word.map { String($0) }.joined()
            try #require(isMatch == expected, "\(shown)")
        }
        #expect(counts.yes > 300 && counts.no > 1000)
    }
}

/// A model of Hangul input that uses the tables of Unicode, but no code of the module.
enum KeyModel {
    private static let leads = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
    private static let keysOfVowels = [
        "ㅏ", "ㅐ", "ㅑ", "ㅒ", "ㅓ", "ㅔ", "ㅕ", "ㅖ", "ㅗ", "ㅗㅏ", "ㅗㅐ", "ㅗㅣ", "ㅛ", "ㅜ", "ㅜㅓ", "ㅜㅔ", "ㅜㅣ", "ㅠ", "ㅡ", "ㅡㅣ", "ㅣ",
    ]
    private static let keysOfTails = [
        "ㄱ", "ㄲ", "ㄱㅅ", "ㄴ", "ㄴㅈ", "ㄴㅎ", "ㄷ", "ㄹ", "ㄹㄱ", "ㄹㅁ", "ㄹㅂ", "ㄹㅅ", "ㄹㅌ", "ㄹㅍ", "ㄹㅎ", "ㅁ", "ㅂ", "ㅂㅅ", "ㅅ", "ㅆ",
        "ㅇ", "ㅈ",
        "ㅊ", "ㅋ", "ㅌ", "ㅍ", "ㅎ",
    ]

    static func keys(_ scalar: Unicode.Scalar) -> String {
        guard (0xAC00...0xD7A3).contains(scalar.value) else { return String(scalar) }
        return String(scalar)._nfd.map { part in
            switch part.value {
            case 0x1100...0x1112: String(Array(leads)[Int(part.value) - 0x1100])
            case 0x1161...0x1175: keysOfVowels[Int(part.value) - 0x1161]
            default: keysOfTails[Int(part.value) - 0x11A8]
            }
        }.joined()
    }

    static func initial(_ scalar: Unicode.Scalar) -> Character { keys(scalar).first ?? " " }

    static func typed(_ keys: String) -> String {
        let keys = Array(keys)
        func isVowel(_ index: Int) -> Bool { keys.indices.contains(index) && "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅛㅜㅠㅡㅣ".contains(keys[index]) }
        var (text, index) = ("", 0)
        while index < keys.count {
            let isSyllable = !isVowel(index) && leads.contains(keys[index]) && isVowel(index + 1)
            guard isSyllable || isVowel(index) else {
                text.append(keys[index])
                index += 1
                continue
            }
            let lead = isSyllable ? keys[index] : nil
            if isSyllable { index += 1 }
            let isPair = isVowel(index + 1) && keysOfVowels.contains(String(keys[index...(index + 1)]))
            let vowel = String(keys[index...(index + (isPair ? 1 : 0))])
            index += vowel.count
            guard let lead else {
                text.append(compound(vowel, keysOfVowels, first: 0x314F))
                continue
            }
            var tail = ""
            for length in [2, 1] where tail.isEmpty && index + length <= keys.count {
                let candidate = String(keys[index..<(index + length)])
                if keysOfTails.contains(candidate), !isVowel(index + length) { tail = candidate }
            }
            index += tail.count
            text.append(syllable(lead, vowel, tail))
        }
        return text
    }

    private static func compound(_ keys: String, _ table: [String], first: UInt32) -> Character {
        Unicode.Scalar(first + UInt32(table.firstIndex(of: keys) ?? 0)).map { Character($0) } ?? " "
    }

    private static func syllable(_ lead: Character, _ vowel: String, _ tail: String) -> Character {
        var parts = String.UnicodeScalarView()
        let numbers = [
            Array(leads).firstIndex(of: lead).map { 0x1100 + $0 },
            keysOfVowels.firstIndex(of: vowel).map { 0x1161 + $0 },
            keysOfTails.firstIndex(of: tail).map { 0x11A8 + $0 },
        ]
        for number in numbers.compactMap(\.self) { if let part = Unicode.Scalar(UInt32(number)) { parts.append(part) } }
        return String(String.UnicodeScalarView(String(parts)._nfc)).first ?? " "
    }

    static func matches(_ typed: [Unicode.Scalar], _ word: [Unicode.Scalar]) -> Bool {
        readings(typed).contains { fits($0[...], word[...]) }
    }

    private static func fits(_ typed: ArraySlice<Unicode.Scalar>, _ word: ArraySlice<Unicode.Scalar>) -> Bool {
        guard let next = typed.first else { return true }
        guard let letter = word.first else { return false }
        if next == letter
            || keys(next).count == 1 && !isVowel(next) && keys(letter).count > 1 && initial(letter) == initial(next)
        {
            return fits(typed.dropFirst(), word.dropFirst())
        }
        guard typed.count == 1, keys(next).count > 1 else { return false }
        return word.prefix(2).map(keys).joined().hasPrefix(keys(next))
    }

    private static func isVowel(_ scalar: Unicode.Scalar) -> Bool { (0x314F...0x3163).contains(scalar.value) }

    private static func readings(_ typed: [Unicode.Scalar]) -> [[Unicode.Scalar]] {
        let consonants = typed.reversed().prefix { keys($0).count == 1 && !isVowel($0) }.count
        guard consonants > 0, consonants < typed.count else { return [typed] }
        let (front, end) = (typed.prefix(typed.count - consonants - 1), typed.suffix(consonants))
        let last = keys(typed[typed.count - consonants - 1])
        var all = [typed]
        let joined = Array(Self.typed(last + end.map { String($0) }.joined()).unicodeScalars)
        if joined.count == 1 { all.append(front + joined) }
        for length in 1...2 where last.count - length >= 2 {
            let shorter = Array(Self.typed(String(last.dropLast(length))).unicodeScalars)
            let moved = last.suffix(length).unicodeScalars
            let isWhole = shorter.count == 1 && keys(shorter[0]).count == last.count - length
            guard isWhole, moved.allSatisfy({ !isVowel($0) }) else { continue }
            all.append(front + shorter + moved + end)
        }
        return all
    }
}
