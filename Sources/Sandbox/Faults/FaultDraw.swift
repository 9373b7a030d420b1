import HTTP

/// Draws the faults of a request from a separate generator, and counts how often each came up.
struct FaultDraw: Sendable {
    private var dice: Dice
    /// How often each rule was met, in the order of the rules.
    private var met: [Int] = []

    init(seed: UInt64) {
        dice = Dice(seed, 0xFA_017)
    }

    /// The rules that this request meets; every rule that covers the source takes one draw.
    mutating func draw(_ rules: [FaultRule], source: String) -> [FaultRule] {
        if rules.isEmpty { return [] }
        if met.count != rules.count { met = Array(repeating: 0, count: rules.count) }
        return rules.indices.filter { index in
            let rule = rules[index]
            guard rule.covers(source) else { return false }
            let isDrawn = Double(dice.next() >> 11) / Double(1 << 53) < rule.share
            guard isDrawn, met[index] < rule.times ?? .max else { return false }
            met[index] += 1
            return true
        }.map { rules[$0] }
    }

    /// The rules have changed: each begins anew.
    mutating func forget() {
        met = []
    }
}

extension Upstream {
    /// The upstream's error table.
    var errors: any ErrorRow.Type {
        switch self {
        case .kakao: KakaoError.self
        case .naver, .naverhub: NaverError.self
        case .google: GoogleError.self
        case .itunes: ITunesError.self
        case .wikipedia: WikipediaError.self
        case .openlibrary: OpenLibraryError.self
        case .hackernews: HackerNewsError.self
        }
    }

    /// What the sources of this upstream begin with.
    var sourcePrefix: String {
        self == .naverhub ? "naver" : rawValue
    }
}

extension FaultRule {
    /// The names that a rule for these sources may have.
    static func names(for source: String) -> [String] {
        let upstreams = Upstream.allCases.filter { upstream in
            let prefix = upstream.sourcePrefix + "."
            return source.hasSuffix("*")
                ? prefix.hasPrefix(source.dropLast()) || source.hasPrefix(prefix)
                : source.hasPrefix(prefix)
        }
        return GeneralFault.allCases.map(\.rawValue) + Set(upstreams.flatMap { $0.errors.names }).sorted()
    }
}
