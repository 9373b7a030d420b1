/// One interpretation of typed text: as typed, with other syllables, or in the other keyboard layout.
package struct TypedReading: Sendable {
    package let letters: [Unicode.Scalar]
    package let isWrongLayout: Bool
    private let begins: [Bool]
    private let lastKeys: [Unicode.Scalar]
    private let endsWithBlank: Bool

    init(_ spelling: TypedSpellings.Spelling, isWrongLayout: Bool, endsWithBlank: Bool) {
        letters = spelling.letters
        begins = spelling.begins
        lastKeys = KeyboardLayout.keys(of: letters.suffix(1))
        self.isWrongLayout = isWrongLayout
        self.endsWithBlank = endsWithBlank
    }

    package var hasInitials: Bool { letters.contains(where: Jamo.isConsonant) }

    /// The indices of the letters after a required space.
    ///
    /// In a matching text, words must begin at these letters.
    package var wordBegins: [Int] {
        letters.indices.dropFirst().filter { begins[$0] && !Self.isSpaceOptional(letters[$0 - 1], letters[$0]) }
    }

    /// If a text begins with this reading, its keys begin with these keys.
    package var firstKeys: [Unicode.Scalar] {
        let whole = letters.prefix { !Jamo.isConsonant($0) }
        return KeyboardLayout.keys(of: whole) + letters[whole.count...].prefix(1)
    }

    package var initials: [Unicode.Scalar] { letters.map(Jamo.initial) }

    func match(in text: FoldedText, atWords: Bool) -> TypedMatch? {
        var best: TypedMatch?
        guard text.scalars.count >= letters.count else { return nil }
        for start in 0...(text.scalars.count - letters.count) {
            guard let form = form(in: text, at: start) else { continue }
            guard atWords ? text.wordBegins[start] : text.mayBegin(at: start) else { continue }
            let position = position(in: text, at: start, form)
            // A single unfinished syllable or initial occurs in almost every word.
            if letters.count == 1, form != .exact, position == .inside { continue }
            let match = TypedMatch(form: isWrongLayout ? .layout : form, position: position)
            if best.map({ match < $0 }) ?? true { best = match }
            if match.position == .whole { break }
        }
        return best
    }

    func isPrefix(of text: FoldedText) -> Bool { text.scalars.count >= letters.count && form(in: text, at: 0) != nil }

    private func position(in text: FoldedText, at start: Int, _ form: TypedMatch.Form) -> TypedMatch.Position {
        if start > 0 { return text.wordBegins[start] ? .word : .inside }
        return text.scalars.count == letters.count && form != .unfinished ? .whole : .beginning
    }

    private func form(in text: FoldedText, at start: Int) -> TypedMatch.Form? {
        var form = TypedMatch.Form.exact
        let last = letters.count - 1
        for index in 0...last {
            let (typed, letter) = (letters[index], text.scalars[start + index])
            if index > 0, begins[index] != text.wordBegins[start + index], !isSpaceOptional(text, before: start + index)
            {
                return nil
            }
            if typed == letter { continue }
            if Jamo.isConsonant(typed), Syllable(letter)?.lead == typed {
                form = .initials
            } else if index == last, !endsWithBlank, isUnfinished(in: text, at: start + last) {
                form = max(form, .unfinished)
            } else {
                return nil
            }
        }
        let end = start + letters.count
        let wordContinues = end < text.scalars.count && !text.wordBegins[end] && !isSpaceOptional(text, before: end)
        return endsWithBlank && wordContinues ? nil : form
    }

    private func isSpaceOptional(_ text: FoldedText, before index: Int) -> Bool {
        Self.isSpaceOptional(text.scalars[index - 1], text.scalars[index])
    }

    private static func isSpaceOptional(_ left: Unicode.Scalar, _ right: Unicode.Scalar) -> Bool {
        Jamo.isHangul(left) || Jamo.isHangul(right) || isDigit(left) != isDigit(right)
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    /// Returns whether the keys at `start` begin with the keys of the last typed syllable, so 공 matches 고양.
    private func isUnfinished(in text: FoldedText, at start: Int) -> Bool {
        guard Syllable(letters[letters.count - 1]) != nil, Jamo.isHangul(text.scalars[start]) else { return false }
        var word = text.scalars[start...].prefix(2)
        if word.count == 2, text.wordBegins[start + 1] { word.removeLast() }
        return KeyboardLayout.keys(of: word).starts(with: lastKeys)
    }
}

/// The texts that the same keys can spell, such as 고ㅇㅇ and 공ㅇ.
struct TypedSpellings {
    struct Spelling: Equatable, Sendable {
        let letters: [Unicode.Scalar]
        let begins: [Bool]
    }

    /// The first spelling is the text as typed.
    let all: [Spelling]

    init(_ text: FoldedText) {
        var all = [Spelling(letters: text.scalars, begins: text.wordBegins)]
        if let composed = Self.composed(all[0]) { all.append(composed) }
        for spelling in all {
            let others = Self.withTailMoved(spelling) + [Self.withTailJoined(spelling)].compactMap(\.self)
            for other in others where !all.contains(other) { all.append(other) }
        }
        self.all = all
    }

    private static func composed(_ spelling: Spelling) -> Spelling? {
        let letters = spelling.letters
        let isSpelledOut = letters.indices.dropFirst().contains { index in
            Jamo.isVowel(letters[index]) && Jamo.isHangul(letters[index - 1]) && !Jamo.isVowel(letters[index - 1])
        }
        guard isSpelledOut else { return nil }
        var text = FoldedText()
        for (index, begins) in spelling.begins.enumerated() where begins || index == 0 {
            let length = spelling.begins[(index + 1)...].prefix { !$0 }.count
            var composer = SyllableComposer()
            for key in KeyboardLayout.keys(of: letters[index...(index + length)]) { composer.type(key) }
            var wordPending = true
            text.append(composer.finish(), wordPending: &wordPending)
        }
        let composed = Spelling(letters: text.scalars, begins: text.wordBegins)
        return composed == spelling ? nil : composed
    }

    /// Separates one or two consonants from the last syllable, if consonants follow the syllable.
    private static func withTailMoved(_ spelling: Spelling) -> [Spelling] {
        let letters = spelling.letters
        let consonants = letters.reversed().prefix(while: Jamo.isConsonant).count
        let last = letters.count - consonants - 1
        guard consonants > 0, last >= 0, let once = Syllable(letters[last])?.withTailMoved else { return [] }
        var moved = [[once.syllable.scalar, once.lead]]
        if let twice = once.syllable.withTailMoved { moved.append([twice.syllable.scalar, twice.lead, once.lead]) }
        return moved.map { moved in
            Spelling(
                letters: letters[..<last] + moved + letters[(last + 1)...],
                begins: spelling.begins[...last] + moved.dropFirst().map { _ in false } + spelling.begins[(last + 1)...]
            )
        }
    }

    /// Joins the last consonants to the previous syllable, so 과ㄴ becomes 관; returns nil if they do not fit.
    private static func withTailJoined(_ spelling: Spelling) -> Spelling? {
        let letters = spelling.letters
        let consonants = letters.reversed().prefix(while: Jamo.isConsonant).count
        let last = letters.count - consonants - 1
        guard consonants > 0, last >= 0, Syllable(letters[last]) != nil else { return nil }
        var composer = SyllableComposer()
        for key in KeyboardLayout.keys(of: letters[last...]) { composer.type(key) }
        let joined = Array(composer.finish().unicodeScalars)
        guard joined.count == 1 else { return nil }
        return Spelling(letters: letters[..<last] + joined, begins: Array(spelling.begins[...last]))
    }
}
