/// A text in a simple form, for comparison with typed text.
///
/// Letters have lower case, ordinary width and no accents. Blanks and punctuation except # are omitted. ㄳ becomes ㄱㅅ.
package struct FoldedText: Hashable, Sendable {
    package private(set) var scalars: [Unicode.Scalar] = []
    package private(set) var wordBegins: [Bool] = []
    private var isOpenInside = true

    package init() {}

    /// With `isOpenInside`, a match may also begin at a syllable inside a Hangul word.
    package init(_ text: String, isOpenInside: Bool = true) {
        self.isOpenInside = isOpenInside
        scalars.reserveCapacity(text.utf8.count / 2)
        wordBegins.reserveCapacity(text.utf8.count / 2)
        var wordPending = true
        append(text, wordPending: &wordPending)
    }

    package mutating func append(_ text: String, wordPending: inout Bool) {
        let (count, wasPending) = (scalars.count, wordPending)
        guard !appendPlain(text.utf8.span, &wordPending) else { return }
        scalars.removeSubrange(count...)
        wordBegins.removeSubrange(count...)
        wordPending = wasPending
        for scalar in NormalForm.composed(CharacterWidth.folded(text)) {
            if Self.isFolded(scalar) {
                add(scalar, &wordPending)
            } else {
                append(scalar, &wordPending)
            }
        }
    }

    /// The fast path: appends text that is already in the simple form, and returns false at any other scalar.
    private mutating func appendPlain(_ text: Span<UInt8>, _ wordPending: inout Bool) -> Bool {
        var index = 0
        while index < text.count {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: " "):
                wordPending = true
                index += 1
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"):
                add(Unicode.Scalar(byte), &wordPending)
                index += 1
            // The text is valid UTF-8, so two bytes follow.
            case 0xEA...0xED:
                let low = UInt32(text[index + 1] & 0x3F) << 6 | UInt32(text[index + 2] & 0x3F)
                let value = UInt32(byte & 0xF) << 12 | low
                guard let scalar = Unicode.Scalar(value), Syllable(scalar) != nil else { return false }
                add(scalar, &wordPending)
                index += 3
            default: return false
            }
        }
        return true
    }

    package var isEmpty: Bool { scalars.isEmpty }

    package var words: [ArraySlice<Unicode.Scalar>] {
        let begins = scalars.indices.filter { wordBegins[$0] }
        return zip(begins, begins.dropFirst() + [scalars.count]).map { scalars[$0..<$1] }
    }

    package func mayBegin(at index: Int) -> Bool {
        if wordBegins[index] { return true }
        let (left, right) = (scalars[index - 1], scalars[index])
        if !isOpenInside, Jamo.isHangul(left), Jamo.isHangul(right) { return false }
        return Self.isUnspacedScript(left) || Self.isUnspacedScript(right)
    }

    private static func isUnspacedScript(_ scalar: Unicode.Scalar) -> Bool {
        Syllable(scalar) != nil || (0x3040...0xA4CF).contains(scalar.value)
    }

    private static func isFolded(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x30...0x39, 0x61...0x7A, 0xAC00...0xD7A3: true
        default: false
        }
    }

    private mutating func add(_ letter: Unicode.Scalar, _ wordPending: inout Bool) {
        scalars.append(letter)
        wordBegins.append(wordPending)
        wordPending = false
    }

    private mutating func append(_ scalar: Unicode.Scalar, _ wordPending: inout Bool) {
        switch Self.effect(of: scalar) {
        case .ignored: break
        case .separator: wordPending = true
        case .letters(let letters): for letter in letters { add(letter, &wordPending) }
        }
    }

    private enum Effect {
        case ignored
        case separator
        case letters([Unicode.Scalar])
    }

    private static func effect(of scalar: Unicode.Scalar) -> Effect {
        if scalar == " " { return .separator }
        let letter = Jamo.compatibility(scalar)
        if Jamo.isLetter(letter) {
            var letters: [Unicode.Scalar] = []
            Jamo.appendKeys(of: letter, to: &letters)
            return .letters(letters)
        }
        if Jamo.isFiller(scalar) { return .ignored }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .surrogate: return .ignored
        case .control, .spaceSeparator, .lineSeparator, .paragraphSeparator: return .separator
        case .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation, .connectorPunctuation:
            return .separator
        case .finalPunctuation, .otherPunctuation:
            if scalar == "'" || scalar == "\u{2019}" { return .ignored }
            // # is part of names such as C#.
            return scalar == "#" ? .letters([scalar]) : .separator
        default: return .letters(PlainLetters.of(scalar))
        }
    }
}

/// A text in a simple form, for ranking: letters and digits in lower case and ordinary width, without accents.
///
/// It has no blanks. `starts` is true where a word begins. A word also begins where the script changes, but not at
/// Latin letters after digits.
package struct FoldedBytes: Sendable {
    package private(set) var bytes: [UInt8] = []
    package private(set) var starts: [Bool] = []
    private var isStartPending = true
    private var last = Script.none

    private enum Script {
        case none
        case digit
        case latin
        case other
    }

    package init() {}

    package init(_ text: String) {
        append(text)
    }

    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
        (isStartPending, last) = (true, .none)
    }

    package mutating func append(_ text: String, bytesMax: Int = .max) {
        let count = bytes.count
        isStartPending = true
        guard !appendPlain(text.utf8.span, bytesMax: bytesMax) else { return }
        bytes.removeSubrange(count...)
        starts.removeSubrange(count...)
        (isStartPending, last) = (true, .none)
        for scalar in NormalForm.composed(CharacterWidth.folded(text)) where bytes.count - count < bytesMax {
            append(scalar)
        }
    }

    package func isBoundary(_ offset: Int) -> Bool {
        offset >= bytes.count || starts[offset]
    }

    private mutating func appendPlain(_ text: Span<UInt8>, bytesMax: Int) -> Bool {
        var index = 0
        while index < min(text.count, bytesMax) {
            let byte = text[index]
            if byte < 0x80 {
                appendASCII(byte)
                index += 1
                continue
            }
            // The text is valid UTF-8, so two bytes follow a first byte of 0xE0 to 0xEF.
            guard byte & 0xF0 == 0xE0 else { return false }
            let value = UInt32(byte & 0xF) << 12 | UInt32(text[index + 1] & 0x3F) << 6 | UInt32(text[index + 2] & 0x3F)
            switch value {
            case 0xAC00...0xD7A3, 0x3041...0x3096, 0x30A1...0x30FA, 0x3400...0x4DBF, 0x4E00...0x9FFF:
                begin(.other, count: 3)
                bytes.append(byte)
                bytes.append(text[index + 1])
                bytes.append(text[index + 2])
            case 0x2019: break
            case 0x2010...0x2027, 0x3000...0x3003, 0x3008...0x3011: isStartPending = true
            default: return false
            }
            index += 3
        }
        return true
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0..<0x80: appendASCII(UInt8(truncatingIfNeeded: scalar.value))
        case 0xAC00...0xD7A3, 0x3131...0x318E: appendOther(scalar)
        default:
            if let digit = TitleWeight.digit(scalar) {
                appendASCII(UInt8(truncatingIfNeeded: digit) + UInt8(ascii: "0"))
                return
            }
            switch TitleWeight.of(scalar) {
            case .ignored: break
            case .separator: isStartPending = true
            case .letters:
                for letter in PlainLetters.of(scalar) {
                    letter.isASCII ? appendASCII(UInt8(truncatingIfNeeded: letter.value)) : appendOther(letter)
                }
            }
        }
    }

    private mutating func appendASCII(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            begin(.digit, count: 1)
            bytes.append(byte)
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
            begin(.latin, count: 1)
            bytes.append(byte | 0x20)
        case UInt8(ascii: "'"): break
        default: isStartPending = true
        }
    }

    private mutating func appendOther(_ scalar: Unicode.Scalar) {
        let encoded = UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        begin(.other, count: encoded.count)
        bytes.append(contentsOf: encoded)
    }

    private mutating func begin(_ script: Script, count: Int) {
        let isChange = script != last && !(last == .digit && script == .latin)
        starts.append(isStartPending || isChange)
        for _ in 1..<count { starts.append(false) }
        (isStartPending, last) = (false, script)
    }
}
