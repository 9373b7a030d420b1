extension String {
    /// The text with other texts in place of some scalars.
    ///
    /// By scalars, since a sign that a combining mark follows is another `Character`, and still ends what it ends.
    func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
        var replaced = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if let text = replacement(scalar) {
                replaced.append(contentsOf: text.unicodeScalars)
            } else {
                replaced.append(scalar)
            }
        }
        return String(replaced)
    }
}
