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
        let scripts = query.text.unicodeScalars.lazy.map(Self.script)
        self = scripts.first { $0 == .hangul || $0 == .kana } ?? (scripts.contains(.han) ? .han : .other)
    }

    private static func script(of scalar: Unicode.Scalar) -> WritingSystem {
        switch scalar.value {
        case 0x1100...0x11FF, 0x3131...0x318E, 0xAC00...0xD7A3: .hangul
        case 0x3041...0x30FF: .kana
        case 0x3400...0x4DBF, 0x4E00...0x9FFF: .han
        default: .other
        }
    }

    /// The languages that use this script; empty for `other`.
    package var ownLanguages: [String] {
        switch self {
        case .hangul: ["ko"]
        case .kana: ["ja"]
        case .han: ["zh", "ja"]
        case .other: []
        }
    }

    /// Returns the languages for a query in this script; `language` is the language of the daemon's locale.
    package func languages(where language: String) -> [String] {
        if ownLanguages.count == 1 { return ownLanguages }
        return language == "en" ? ["en"] : [language, "en"]
    }
}
