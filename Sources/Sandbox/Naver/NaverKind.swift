/// One of Naver's searches that still answer, with its bounds.
enum NaverKind: String, CaseIterable, Sendable {
    case blog, news, cafearticle, kin, encyc, webkr, image, local

    /// Its name among the sources of searchd.
    var source: String {
        switch self {
        case .cafearticle: "naver.cafe"
        case .webkr: "naver.web"
        default: "naver.\(rawValue)"
        }
    }

    /// The first one is the default; none when it takes no sort.
    var sorts: [String] {
        switch self {
        case .blog, .news, .cafearticle, .image: ["sim", "date"]
        case .kin: ["sim", "date", "point"]
        case .encyc, .webkr: []
        case .local: ["random", "comment"]
        }
    }

    var displayMax: Int { self == .local ? 5 : 100 }
    var displayDefault: Int { self == .local ? 1 : 10 }
    var startMax: Int { self == .local ? 1 : 1_000 }

    /// The part of the world's documents that this search knows.
    var share: Double {
        switch self {
        case .blog: 1.2
        case .news: 0.3
        case .cafearticle: 0.8
        case .kin: 0.1
        case .encyc: 0.002
        case .webkr: 1
        case .image: 0.9
        case .local: 0.000_05
        }
    }

    /// The searches that were shut down in 2026.
    static let retired = ["book", "book_adv", "shop", "doc", "movie"]

    func order(_ sort: String) -> Order {
        switch sort {
        case "date": .newest
        case "point", "comment": .shuffled(Dice.hash(sort))
        default: .relevance
        }
    }
}
