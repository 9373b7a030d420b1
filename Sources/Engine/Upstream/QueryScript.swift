package import SearchModel

/// The script of a query, as far as it tells the language.
package enum QueryScript: CaseIterable, Sendable {
    case hangul
    case kana
    /// Han alone: it may be of several languages.
    case han
    /// Latin letters, which say little, and others.
    case other

    /// Languages that have a script of their own.
    static let languagesWithScript = ["zh", "ja", "ko"]

    package init(_ query: SearchQuery) {
        var found = QueryScript.other
        for scalar in query.text.unicodeScalars {
            switch scalar.value {
            case 0x1100...0x11FF, 0x3131...0x318E, 0xAC00...0xD7A3:
                self = .hangul
                return
            case 0x3041...0x30FF:
                self = .kana
                return
            case 0x3400...0x4DBF, 0x4E00...0x9FFF: found = .han
            default: break
            }
        }
        self = found
    }

    /// The languages that are written in it; none where it does not tell.
    var ownLanguages: [String] {
        switch self {
        case .hangul: ["ko"]
        case .kana: ["ja"]
        case .han: ["zh", "ja"]
        case .other: []
        }
    }

    /// The languages in which a source is asked that has an edition for each, where people speak `language`; English
    /// beside any other.
    func languages(where language: String) -> [String] {
        switch self {
        case .hangul, .kana: ownLanguages
        case .han, .other: language == "en" ? ["en"] : [language, "en"]
        }
    }
}
