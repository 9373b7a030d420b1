/// One of Kakao's six searches, with its bounds.
enum KakaoKind: String, CaseIterable, Sendable {
    case web, vclip, image, blog, cafe, book

    /// Its name among the sources of searchd.
    var source: String {
        self == .vclip ? "kakao.video" : "kakao.\(rawValue)"
    }

    var path: String {
        self == .book ? "/v3/search/book" : "/v2/search/\(rawValue)"
    }

    var pageMax: Int {
        self == .vclip ? 15 : 50
    }

    var sizeMax: Int {
        switch self {
        case .image: 80
        case .vclip: 30
        default: 50
        }
    }

    var sizeDefault: Int {
        switch self {
        case .image: 80
        case .vclip: 15
        default: 10
        }
    }

    /// The sort that is not by accuracy.
    var dateSort: String {
        self == .book ? "latest" : "recency"
    }

    /// How many documents anyone is shown at most, about.
    var ceiling: Int {
        self == .image ? 4_000 : 800
    }

    /// The part of the world's documents that this search knows.
    var share: Double {
        switch self {
        case .web: 0.2
        case .blog: 0.06
        case .cafe: 0.04
        case .image: 0.15
        case .vclip: 0.004
        case .book: 0.000_3
        }
    }
}
