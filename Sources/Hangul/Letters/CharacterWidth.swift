/// Undoes the wide and narrow forms that East Asian character sets have of the same letters.
enum CharacterWidth {
    /// U+FF66 to U+FF9F in order; the last two are the sound marks, which then compose with what they follow.
    private static let katakana = Array(
        "ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u{3099}\u{309A}".unicodeScalars
    )

    static func folded(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { (0xFF01...0xFFDC).contains($0.value) }) else { return text }
        var folded = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { folded.append(self.folded(scalar)) }
        return String(folded)
    }

    static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        let value = scalar.value
        let ordinary: UInt32 =
            switch value {
            case 0xFF01...0xFF5E: value - 0xFF01 + 0x21
            case 0xFF66...0xFF9F: katakana[Int(value - 0xFF66)].value
            case 0xFFA1...0xFFBE: value - 0xFFA1 + 0x3131
            // The vowels come in runs of six, with gaps.
            case 0xFFC2...0xFFC7: value - 0xFFC2 + 0x314F
            case 0xFFCA...0xFFCF: value - 0xFFCA + 0x3155
            case 0xFFD2...0xFFD7: value - 0xFFD2 + 0x315B
            case 0xFFDA...0xFFDC: value - 0xFFDA + 0x3161
            default: value
            }
        return Unicode.Scalar(ordinary) ?? scalar
    }
}
