/// Whether two texts differ by one slip of the finger: a key missing, too many, wrong, or swapped with the next.
enum OneSlip {
    /// Whether `typed` is the beginning of a text but for at most one slip; both in keys.
    ///
    /// - Complexity: O(n) in what was typed.
    static func isBeginning(_ typed: [Unicode.Scalar], of text: [Unicode.Scalar]) -> Bool {
        let same = zip(typed, text).prefix { $0 == $1 }.count
        guard same < typed.count else { return true }
        let (typedRest, rest) = (typed[same...], text[same...])
        return rest.starts(with: typedRest.dropFirst()) || rest.dropFirst().starts(with: typedRest)
            || rest.dropFirst().starts(with: typedRest.dropFirst()) && !rest.isEmpty
            || isSwapped(typedRest, rest)
    }

    private static func isSwapped(_ typed: ArraySlice<Unicode.Scalar>, _ text: ArraySlice<Unicode.Scalar>) -> Bool {
        guard typed.count >= 2, text.count >= 2 else { return false }
        return typed.prefix(2).elementsEqual(text.prefix(2).reversed())
            && text.dropFirst(2).starts(with: typed.dropFirst(2))
    }
}
