import SearchModel

/// A language that a query may be in, as its script shows; Latin letters show none.
enum QueryLanguage: String, Sendable {
    case chinese = "zh"
    case japanese = "ja"
    case korean = "ko"

    /// None when the script leaves it open.
    static func all(of query: SearchQuery) -> [QueryLanguage] {
        var hasHan = false
        for scalar in query.text.unicodeScalars {
            switch scalar.value {
            case 0x1100...0x11FF, 0x3131...0x318E, 0xAC00...0xD7A3: return [.korean]
            case 0x3041...0x30FF: return [.japanese]
            case 0x3400...0x4DBF, 0x4E00...0x9FFF: hasHan = true
            default: break
            }
        }
        return hasHan ? [.chinese, .japanese] : []
    }
}
