/// What someone has typed so far, to be found in texts as they would expect.
///
/// A consonant stands for itself and for any syllable that it begins (ㄱㅇㅇ, 고ㅇㅇ). The last syllable may be unfinished,
/// and its tail the lead of the next (고야, 고양ㅇ and 과ㄴ are on the way to 고양이 and 관). The whole may have been typed in
/// the wrong layout of the keyboard (dkssud, ㅗ디ㅣㅐ). Spaces before Hangul make no difference.
///
/// Pure. A match costs O(n) in the text, times at most `lengthMax`.
package struct TypedPattern: Sendable {
    /// In folded letters; what is longer is no word or title that someone is typing.
    package static let lengthMax = 64
    /// Fewer keys in the wrong layout would be found in anything.
    private static let layoutKeysMin = 3
    /// Fewer keys with one slip would be found in anything.
    private static let slipKeysMin = 4

    private let readings: [Reading]
    private let keys: [Unicode.Scalar]

    /// Nil when nothing is left of the text after folding, or more than `lengthMax`.
    package init?(_ text: String) {
        let folded = FoldedText(text)
        guard !folded.isEmpty, folded.scalars.count <= Self.lengthMax else { return nil }
        var readings = [Reading(folded, isOtherLayout: false)]
        if let moved = Self.withTailMoved(folded.scalars) {
            readings.append(Reading(moved, begins: nil, isOtherLayout: false))
        }
        if let joined = Self.withTailJoined(folded.scalars) {
            readings.append(Reading(joined, begins: nil, isOtherLayout: false))
        }
        if let other = Self.inOtherLayout(text, folded) { readings.append(Reading(other, isOtherLayout: true)) }
        self.readings = readings
        keys = KeyboardLayout.keys(of: folded.scalars)
    }

    /// The letters of each way to read it, for an index to look for.
    package var spellings: [[Unicode.Scalar]] { readings.map(\.letters) }

    /// The best way in which it stands in a text, but for slips; nil when it does not.
    package func match(in text: FoldedText) -> TypedMatch? {
        readings.lazy.compactMap { $0.match(in: text) }.min()
    }

    /// Whether a word of the text begins with it but for one slip.
    package func slips(in text: FoldedText) -> TypedMatch? {
        guard keys.count >= Self.slipKeysMin else { return nil }
        for start in text.scalars.indices where text.wordBegins[start] {
            let end = min(text.scalars.count, start + keys.count + 2)
            if OneSlip.isBeginning(keys, of: KeyboardLayout.keys(of: text.scalars[start..<end])) {
                return TypedMatch(form: .slip, position: start == 0 ? .beginning : .word)
            }
        }
        return nil
    }

    /// With the tail of a syllable as a consonant of its own where consonants follow: an input method makes 공ㅇ of 고ㅇㅇ.
    private static func withTailMoved(_ letters: [Unicode.Scalar]) -> [Unicode.Scalar]? {
        let consonants = letters.reversed().prefix(while: Jamo.isConsonant).count
        let last = letters.count - consonants - 1
        guard consonants > 0, last >= 0, let moved = Syllable(letters[last])?.withTailMoved else { return nil }
        return letters[..<last] + [moved.syllable.scalar, moved.lead] + letters[(last + 1)...]
    }

    /// With a single consonant at the end as the tail of the syllable before it: 과ㄴ is also 관.
    private static func withTailJoined(_ letters: [Unicode.Scalar]) -> [Unicode.Scalar]? {
        guard letters.count >= 2, Jamo.isConsonant(letters[letters.count - 1]),
            Syllable(letters[letters.count - 2]) != nil
        else { return nil }
        var composer = SyllableComposer()
        for key in KeyboardLayout.keys(of: letters.suffix(2)) { composer.type(key) }
        let joined = Array(composer.finish().unicodeScalars)
        return joined.count == 1 ? letters.dropLast(2) + joined : nil
    }

    /// The text in the other layout, when it can have been meant so; nil otherwise.
    private static func inOtherLayout(_ text: String, _ folded: FoldedText) -> FoldedText? {
        guard text.utf8.count <= lengthMax * 9 else { return nil }
        let letters = folded.scalars
        if letters.count >= layoutKeysMin, letters.allSatisfy({ ("a"..."z").contains($0) }) {
            let other = FoldedText(KeyboardLayout.hangul(typedAs: text))
            // Lone letters are no words, but the last syllable may be unfinished.
            let whole = other.scalars.prefix { Syllable($0) != nil }
            let rest = other.scalars.count - whole.count
            let isPlausible =
                !whole.isEmpty && (rest == 0 || rest == 1 && other.scalars.last.map(Jamo.isConsonant) == true)
            return isPlausible ? other : nil
        }
        guard letters.allSatisfy({ Syllable($0) != nil || Jamo.isLetter($0) }) else { return nil }
        let other = FoldedText(KeyboardLayout.latin(typedAs: text))
        return (layoutKeysMin...lengthMax).contains(other.scalars.count) ? other : nil
    }
}

extension TypedPattern {
    /// One way to read what was typed.
    private struct Reading: Sendable {
        let letters: [Unicode.Scalar]
        /// Where a word begins in it.
        let begins: [Bool]
        /// The keys of its last letter.
        let lastKeys: [Unicode.Scalar]
        let isOtherLayout: Bool

        init(_ text: FoldedText, isOtherLayout: Bool) {
            self.init(text.scalars, begins: text.wordBegins, isOtherLayout: isOtherLayout)
        }

        init(_ letters: [Unicode.Scalar], begins: [Bool]?, isOtherLayout: Bool) {
            self.letters = letters
            self.begins = begins ?? Array(repeating: false, count: letters.count)
            lastKeys = KeyboardLayout.keys(of: letters.suffix(1))
            self.isOtherLayout = isOtherLayout
        }

        func match(in text: FoldedText) -> TypedMatch? {
            var best: TypedMatch?
            guard text.scalars.count >= letters.count else { return nil }
            for start in 0...(text.scalars.count - letters.count) {
                guard text.mayBegin(at: start), let form = form(in: text, at: start) else { continue }
                let position = position(in: text, at: start, form)
                // One unfinished syllable or initial stands inside of nearly any word.
                if letters.count == 1, form != .exact, position == .inside { continue }
                let match = TypedMatch(form: isOtherLayout ? .layout : form, position: position)
                if best.map({ match < $0 }) ?? true { best = match }
                if match.position == .whole { break }
            }
            return best
        }

        private func position(in text: FoldedText, at start: Int, _ form: TypedMatch.Form) -> TypedMatch.Position {
            if start > 0 { return text.wordBegins[start] ? .word : .inside }
            return text.scalars.count == letters.count && form != .unfinished ? .whole : .beginning
        }

        /// In what way it stands at a letter of the text; nil when it does not.
        private func form(in text: FoldedText, at start: Int) -> TypedMatch.Form? {
            var form = TypedMatch.Form.exact
            let last = letters.count - 1
            for index in 0...last {
                let (typed, letter) = (letters[index], text.scalars[start + index])
                if index > 0, !mayFollow(typed, begins: begins[index], letter, text.wordBegins[start + index]) {
                    return nil
                }
                if typed == letter { continue }
                if Jamo.isConsonant(typed), Syllable(letter)?.lead == typed {
                    form = .initials
                } else if index == last, isUnfinished(in: text, at: start + last) {
                    form = max(form, .unfinished)
                } else {
                    return nil
                }
            }
            return form
        }

        /// Whether the spaces before two letters agree; before Hangul they count little.
        private func mayFollow(
            _ typed: Unicode.Scalar,
            begins typedBegins: Bool,
            _ letter: Unicode.Scalar,
            _ letterBegins: Bool
        ) -> Bool {
            typedBegins == letterBegins || Syllable(letter) != nil || Jamo.isLetter(letter)
        }

        /// Whether the keys of the last letter are the first of those that type the word from here on.
        private func isUnfinished(in text: FoldedText, at start: Int) -> Bool {
            guard Syllable(letters[letters.count - 1]) != nil else { return false }
            var word = text.scalars[start...].prefix(2)
            if word.count == 2, text.wordBegins[start + 1] { word.removeLast() }
            return KeyboardLayout.keys(of: word).starts(with: lastKeys)
        }
    }
}
