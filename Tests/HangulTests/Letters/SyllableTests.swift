@_spi(_Unicode) import Swift
import TestSupport
import Testing

@testable import Hangul

@Suite("Syllables")
struct SyllableTests {
    /// All there are, with the letters that Unicode's own tables give them.
    static let all: [(scalar: Unicode.Scalar, letters: [Unicode.Scalar])] = (0xAC00...0xD7A3).compactMap { value in
        guard let scalar = Unicode.Scalar(UInt32(value)) else { return nil }
        // In the conjoining block leads, vowels and tails are numbered in the order of the alphabet.
        let letters = String(scalar)._nfd.map { part -> Unicode.Scalar in
            switch part.value {
            case 0x1100...0x1112: Array("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ".unicodeScalars)[Int(part.value) - 0x1100]
            case 0x1161...0x1175: Array("ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ".unicodeScalars)[Int(part.value) - 0x1161]
            default: Array("ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ".unicodeScalars)[Int(part.value) - 0x11A8]
            }
        }
        return (scalar, letters)
    }

    @Test func `every one is made of the letters that Unicode says, and made again of them`() throws {
        #expect(Self.all.count == 11_172)
        for (scalar, letters) in Self.all {
            let syllable = try #require(Syllable(scalar))
            let own = [syllable.lead, syllable.vowel] + (syllable.tail.map { [$0] } ?? [])
            try #require(own == letters)
            let again = Syllable(lead: letters[0], vowel: letters[1], tail: letters.count > 2 ? letters[2] : nil)
            try #require(again == syllable)
            try #require(syllable.scalar == scalar)
        }
    }

    @Test func `a tail that can't begin a syllable stays, the last key of any other moves on`() {
        #expect(Syllable("각").flatMap(\.withTailMoved).map { [$0.syllable.scalar, $0.lead] } == ["가", "ㄱ"])
        #expect(Syllable("닭").flatMap(\.withTailMoved).map { [$0.syllable.scalar, $0.lead] } == ["달", "ㄱ"])
        #expect(Syllable("있").flatMap(\.withTailMoved).map { [$0.syllable.scalar, $0.lead] } == ["이", "ㅆ"])
        #expect(Syllable("가")?.withTailMoved == nil)
    }

    @Test(arguments: ["ㄱ", "ㅏ", "a", "\u{1100}", "\u{A960}", "\u{D7A4}", "\u{ABFF}"] as [Unicode.Scalar])
    func `nothing else is one`(scalar: Unicode.Scalar) {
        #expect(Syllable(scalar) == nil)
    }

    @Test func `letters that can't stand where they are to make none`() {
        #expect(Syllable(lead: "ㄳ", vowel: "ㅏ") == nil)
        #expect(Syllable(lead: "ㄱ", vowel: "ㄴ") == nil)
        #expect(Syllable(lead: "ㄱ", vowel: "ㅏ", tail: "ㄸ") == nil)
    }

    @Test(
        arguments: [
            ("\u{1100}", "ㄱ"), ("\u{1112}", "ㅎ"), ("\u{1161}", "ㅏ"), ("\u{1175}", "ㅣ"), ("\u{11A8}", "ㄱ"),
            ("\u{11AA}", "ㄳ"),
            ("\u{11C2}", "ㅎ"), ("\u{FFA1}", "ㄱ"), ("\u{FFC2}", "ㅏ"), ("\u{FFDC}", "ㅣ"), ("ㄱ", "ㄱ"), ("가", "가"),
            ("\u{1113}", "\u{1113}"), ("x", "x"),
        ] as [(Unicode.Scalar, Unicode.Scalar)]
    )
    func `a lone letter of any block is a compatibility letter`(letter: Unicode.Scalar, expected: Unicode.Scalar) {
        #expect(Jamo.compatibility(letter) == expected)
    }
}
