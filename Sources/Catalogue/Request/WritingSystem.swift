package import SearchModel

/// The script of a query, which suggests its language.
package enum WritingSystem: CaseIterable, Sendable {
    case hangul
    case kana
    /// Han characters without Hangul and kana; several languages use them.
    case han
    case other

    package static let languagesWithScript = ["zh", "ja", "ko"]

    package init(_ query: SearchQuery) {
        var found = WritingSystem.other
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

    /// The languages that use this script; empty for other scripts.
    package var ownLanguages: [String] {
        switch self {
        case .hangul: ["ko"]
        case .kana: ["ja"]
        case .han: ["zh", "ja"]
        case .other: []
        }
    }

    /// `language` is the language of the daemon's locale.
    package func languages(where language: String) -> [String] {
        switch self {
        case .hangul, .kana: ownLanguages
        case .han, .other: language == "en" ? ["en"] : [language, "en"]
        }
    }
}
