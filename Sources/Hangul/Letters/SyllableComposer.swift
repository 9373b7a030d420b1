/// Puts typed letters together as an input method does: a tail becomes the lead of what follows when a vowel comes, and
/// what can't go together stands alone.
///
/// Pure; `text` is complete after `finish`.
package struct SyllableComposer {
    private var lead: Unicode.Scalar?
    private var vowel: Unicode.Scalar?
    private var tail: Unicode.Scalar?
    private(set) var text = String.UnicodeScalarView()

    package init() {}

    /// Takes the next letter; any other scalar ends the syllable and stands as it is.
    package mutating func type(_ scalar: Unicode.Scalar) {
        if Jamo.isConsonant(scalar) {
            typeConsonant(scalar)
        } else if Jamo.isVowel(scalar) {
            typeVowel(scalar)
        } else {
            endSyllable()
            text.append(scalar)
        }
    }

    /// Everything typed.
    package consuming func finish() -> String {
        endSyllable()
        return String(text)
    }

    private mutating func typeConsonant(_ letter: Unicode.Scalar) {
        if lead != nil, vowel != nil {
            if let tail {
                if let both = Jamo.compound(tail, letter), Jamo.tails.contains(both) {
                    self.tail = both
                    return
                }
            } else if Jamo.tails.contains(letter) {
                tail = letter
                return
            }
        }
        endSyllable()
        if Jamo.leads.contains(letter) { lead = letter } else { text.append(letter) }
    }

    private mutating func typeVowel(_ letter: Unicode.Scalar) {
        if let tail {
            let parts = Jamo.compounds[tail]
            self.tail = parts?.first
            endSyllable()
            lead = parts?.second ?? tail
            vowel = letter
        } else if let vowel {
            if let both = Jamo.compound(vowel, letter) {
                self.vowel = both
            } else {
                endSyllable()
                self.vowel = letter
            }
        } else {
            vowel = letter
        }
    }

    private mutating func endSyllable() {
        if let lead, let vowel, let syllable = Syllable(lead: lead, vowel: vowel, tail: tail) {
            text.append(syllable.scalar)
        } else if let letter = lead ?? vowel {
            text.append(letter)
        }
        (lead, vowel, tail) = (nil, nil, nil)
    }
}
