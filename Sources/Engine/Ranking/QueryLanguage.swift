import SearchModel

/// The languages that a query may be in, as its script shows.
enum QueryLanguage: Sendable {
    /// It is written as these are.
    case among([String])
    /// It is in Latin letters, which say no more than that these, which have a script of their own, are less likely.
    case hardly([String])

    private static let withOwnScript = ["zh", "ja", "ko"]

    init(_ query: SearchQuery) {
        var hasHan = false
        for scalar in query.text.unicodeScalars {
            switch scalar.value {
            case 0x1100...0x11FF, 0x3131...0x318E, 0xAC00...0xD7A3:
                self = .among(["ko"])
                return
            case 0x3041...0x30FF:
                self = .among(["ja"])
                return
            case 0x3400...0x4DBF, 0x4E00...0x9FFF: hasHan = true
            default: break
            }
        }
        self = hasHan ? .among(["zh", "ja"]) : .hardly(Self.withOwnScript)
    }
}
