import Hangul
import TestSupport
import Testing

@Suite("The order of titles")
struct TitleOrderTests {
    private static let list = [
        "★★★", "2", "2 고양이", "2권", "10권", "2001: A Space Odyssey", "12345678901234567890123",
        "ㄱ", "가", "가 나", "가10", "가가", "가a", "각", "간", "갸", "고양이", "고양이 2", "고양이 10", "고양이 사료", "고양이가",
        "고양이과", "ㄲ", "ㄳ", "까치", "ㄴ", "나비", "\u{D7A3}", "ㅏ", "ㅣ",
        "a", "A cat", "Ab", "Éa", "EB", "œdipe", "of", "Øg", "z", "Zoo 고양이", "zoos",
        "Ωmega", "Кот", "ねこ", "ネコ", "猫",
    ]

    @Test func `titles are in the order of a Korean catalogue`() {
        var random = SeededGenerator(seed: testSeed())
        let sorted = Self.list.shuffled(using: &random).sorted { TitleOrder($0) < TitleOrder($1) }
        #expect(sorted == Self.list)
    }

    @Test func `the order is strict and antisymmetric`() {
        for (place, left) in Self.list.enumerated() {
            #expect(!(TitleOrder(left) < TitleOrder(left)))
            for right in Self.list[(place + 1)...] {
                #expect(TitleOrder(left) < TitleOrder(right), "\(left) before \(right)")
                #expect(TitleOrder(left).bytes.lexicographicallyPrecedes(TitleOrder(right).bytes))
                #expect(!(TitleOrder(right) < TitleOrder(left)), "\(right) not before \(left)")
            }
        }
    }

    @Test(arguments: [
        ("고양이", "\u{1100}\u{1169}\u{110B}\u{1163}\u{11BC}\u{110B}\u{1175}"), ("고양이", "  「고양이」!"),
        ("고양이", "\"고양이\""), ("고양이", "[고양이]…"), ("고양이 사료", "《고양이-사료》"), ("고양이 사료", "고양이   ·  사료"),
        ("Cat", "cAT"), ("Cat", "Ｃａｔ"), ("cafe", "Café"), ("cafe", "Cafe\u{301}"), ("10권", "１０권"), ("10권", "010권"),
        ("don't", "Don’t"), ("dont", "don't"), ("가", "\u{FEFF}가"), ("ガ", "ｶﾞ"), ("ㄱㅏ", "ﾡￂ"), ("ㅢㅣ", "ￛￜ"),
        ("고양이", "🐱 고양이 🐱"), ("strasse", "Straße"), ("ㄱ", "\u{1100}"), ("가\u{11A8}", "각"), ("7", "٧"),
    ])
    func `case, width, accents, punctuation and normal form are ignored`(left: String, right: String) {
        #expect(TitleOrder(left) == TitleOrder(right))
        #expect(TitleOrder(left).hashValue == TitleOrder(right).hashValue)
    }

    @Test func `syllables sort in the order of Unicode`() {
        var last = TitleOrder("ㄱ")
        var misplaced: [UInt32] = []
        for value in UInt32(0xAC00)...0xD7A3 {
            let order = TitleOrder(Unicode.Scalar(value).map { String($0) } ?? "")
            if !(last < order) { misplaced.append(value) }
            last = order
        }
        #expect(misplaced.isEmpty)
        #expect(last < TitleOrder("ㅏ"))
    }

    @Test func `each letter of the alphabet comes before its syllables`() {
        let letters = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
        let first = "가까나다따라마바빠사싸아자짜차카타파하"
        let both = zip(letters, first).flatMap { [String($0), String($1)] }
        #expect(both.sorted { TitleOrder($0) < TitleOrder($1) } == both)
    }

    @Test func `the order is defined for any text`() {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<3000 {
            let titles = (0..<3).map { _ in Self.title(using: &random) }
            let orders = titles.map { TitleOrder($0) }.sorted()
            #expect(!(orders[2] < orders[0]) && !(orders[1] < orders[0]) && !(orders[2] < orders[1]))
        }
        #expect(TitleOrder("") < TitleOrder("!"))
        #expect(TitleOrder("!") < TitleOrder("?"))
        #expect(TitleOrder("?") < TitleOrder("0"))
        #expect(TitleOrder("0") < TitleOrder("1"))
    }

    private static func title(using random: inout SeededGenerator) -> String {
        var title = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<8, using: &random) {
            title.append(Unicode.Scalar(UInt32.random(in: 0...0x2FFFF, using: &random)) ?? "가")
        }
        return String(title)
    }
}
