import TestSupport
import Testing

@testable import Hangul

@Suite("The layout of the keyboard")
struct KeyboardLayoutTests {
    @Test(arguments: [
        ("dkssud", "안녕"), ("rhdiddl", "고양이"), ("ekfr", "닭"), ("ekfrdl", "닭이"), ("ekfrl", "달기"), ("rkqtl", "갑시"),
        ("rkqt", "값"),
        ("dlTek", "있다"), ("Qkf", "빨"), ("dhkd", "왕"), ("dnpqxns", "웹툰"), ("rr", "ㄱㄱ"), ("hk", "ㅘ"), ("dmlwk", "의자"),
        ("xhRl", "토끼"), ("dkQk", "아빠"), ("rk sk", "가 나"), ("GKSrnr", "한국"), ("GKSRNR", "한꾺"), ("rk2", "가2"), ("", ""),
    ])
    func `turns Latin keys into Hangul, as an input method puts it together`(latin: String, hangul: String) {
        #expect(KeyboardLayout.hangul(typedAs: latin) == hangul)
    }

    @Test(arguments: [
        ("ㅗ디ㅣㅐ", "hello"), ("재깅", "world"), ("안녕", "dkssud"), ("닭이", "ekfrdl"), ("ㅘ", "hk"), ("값", "rkqt"),
        ("ㅆㄸㄸ", "TEE"),
        ("가 1", "rk 1"), ("\u{1100}\u{1161}\u{11A8}", "rkr"), ("\u{FFA1}", "r"), ("abc", "abc"),
    ])
    func `turns Hangul into Latin keys`(hangul: String, latin: String) {
        #expect(KeyboardLayout.latin(typedAs: hangul) == latin)
    }

    @Test func `every syllable is typed with keys that type it`() throws {
        for (scalar, _) in SyllableTests.all {
            let latin = KeyboardLayout.latin(typedAs: String(scalar))
            try #require(latin.allSatisfy { $0.isASCII && $0.isLetter }, "\(scalar)")
            try #require(KeyboardLayout.hangul(typedAs: latin) == String(scalar), "\(latin)")
        }
    }

    @Test func `texts of syllables survive the way there and back, and keys the way back and there`() throws {
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
