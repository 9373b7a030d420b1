package import SearchModel

/// The script of a query, which decides in which languages a source is asked that has an edition for each.
package enum QueryScript: CaseIterable, Sendable {
    case hangul
    case kana
    case other

    /// Han alone is `other`: it may be of several languages.
    package init(_ query: SearchQuery) {
        self =
            switch QueryLanguage(query) {
            case .among(["ko"]): .hangul
            case .among(["ja"]): .kana
            case .among, .hardly: .other
            }
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
