package import SearchModel

/// The script of a query, which decides in which languages a source is asked that has an edition for each.
package enum QueryScript: CaseIterable, Sendable {
    case hangul
    case kana
    case other

    /// That of the first letter that is Hangul or kana.
    package init(_ query: SearchQuery) {
        for scalar in query.text.unicodeScalars {
            switch scalar.value {
            case 0x1100...0x11FF, 0x3131...0x318E, 0xAC00...0xD7A3, 0xFFA1...0xFFDC:
                self = .hangul
                return
            case 0x3041...0x30FF, 0xFF66...0xFF9F:
                self = .kana
                return
            default: continue
            }
        }
        self = .other
    }

    /// The languages of a query where people speak `language`; English beside any other: Latin letters say little.
    func languages(where language: String) -> [String] {
        switch self {
        case .hangul: ["ko"]
        case .kana: ["ja"]
        case .other: language == "en" ? ["en"] : [language, "en"]
        }
    }
}
