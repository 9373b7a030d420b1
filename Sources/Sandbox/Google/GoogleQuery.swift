/// What a call to Google Books asks for once it has been checked.
struct GoogleQuery: Hashable {
    /// The words, without operators.
    let text: String
    /// As it was typed: totals depend on letter case.
    let typed: String
    /// What else decides which volumes are found: operator, print type, filter, language.
    let variant: Variant
    var newest = false
    var startIndex = 0
    var maxResults = 10
    var isLite = false
    var country = "US"

    struct Variant: Hashable {
        var scope = Scope.anywhere
        var printType = "all"
        var filter = ""
        var language = ""

        /// In one string, and back.
        var text: String {
            self == Variant() ? "" : [scope.rawValue, printType, filter, language].joined(separator: "|")
        }

        init() {}

        init(text: String) {
            let parts = text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 4, let scope = Scope(rawValue: parts[0]) else { return }
            self.scope = scope
            (printType, filter, language) = (parts[1], parts[2], parts[3])
        }
    }

    /// Where the words are looked for.
    enum Scope: String {
        case anywhere, intitle, inauthor, inpublisher, subject, isbn, lccn, oclc
    }

    /// The words of `q` without operators and excluded terms, and the first operator.
    static func parse(_ typed: String) -> (text: String, scope: Scope) {
        var scope = Scope.anywhere
        let words = typed.split(whereSeparator: \.isWhitespace).filter { !$0.hasPrefix("-") }.map { word in
            guard let colon = word.firstIndex(of: ":"), let found = Scope(rawValue: String(word[..<colon])) else {
                return word
            }
            if scope == .anywhere { scope = found }
            return word[word.index(after: colon)...]
        }
        return (words.joined(separator: " "), scope)
    }
}
