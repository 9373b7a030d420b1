import Hangul
import Testing

@Suite struct FoldedBytesTests {
    /// The words of a folded text.
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
    func `a text is its words in lower case, without accents, punctuation and width`(text: String, expected: [String]) {
        #expect(words(text) == expected)
    }

    @Test func `both normal forms are the same text`() {
        for (composed, decomposed) in [
            ("고양이", "\u{1100}\u{1169}\u{110B}\u{1163}\u{11BC}\u{110B}\u{1175}"), ("é", "e\u{301}"),
        ] {
            #expect(FoldedBytes(composed).bytes == FoldedBytes(decomposed).bytes)
        }
        #expect(words("ABC \u{1100}\u{1161}나") == ["abc", "가나"])
    }

    @Test func `a long text is read up to a bound, at the end of a letter`() {
        for text in ["가나다라", "\u{1100}\u{1161}나다라"] {
            var folded = FoldedBytes()
            folded.append(text, bytesMax: 4)
            #expect(folded.bytes == Array("가나".utf8))
        }
    }

    @Test func `texts that are added begin a word, and the memory can be used again`() {
        var text = FoldedBytes("one")
        text.append("two")
        #expect(text.bytes == Array("onetwo".utf8))
        #expect(text.isBoundary(3) && !text.isBoundary(4) && text.isBoundary(6))
        text.removeAll()
        text.append("é 둘")
        #expect(text.bytes == Array("e둘".utf8) && text.starts == [true, true, false, false])
    }
}
