import SearchModel

/// The rules of a site for programs, parsed from its robots.txt (RFC 9309).
struct RobotsRules: Equatable, Sendable {
    private struct Rule: Equatable {
        let pattern: String
        /// The length of the path in the file, including `*` and `$`.
        let length: Int
        let allows: Bool
    }

    static let bytesMax = 500 << 10
    private static let rulesMax = 1000
    private static let patternBytesMax = Glob.patternBytesMax - 1
    private static let pathBytesMax = 4096
    private static let product = "searchd"

    static let allowingAll = RobotsRules(rules: [])

    private let rules: [Rule]

    private init(rules: [Rule]) { self.rules = rules }

    /// Reads the rules for searchd, or else the rules for all programs.
    init(_ file: [UInt8]) {
        var (own, common): ([Rule], [Rule]) = ([], [])
        var (isOwn, isCommon, hasOwn, isAfterAgents) = (false, false, false, false)
        for line in file.prefix(Self.bytesMax).split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let content = String(decoding: line.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self)
            guard let colon = content.firstIndex(of: ":") else { continue }
            let name = content[..<colon].lowercased().filter { $0 != " " && $0 != "\t" }
            let value = content[content.index(after: colon)...].filter { $0 != " " && $0 != "\t" }
            switch name {
            case "user-agent":
                if !isAfterAgents { (isOwn, isCommon) = (false, false) }
                isAfterAgents = true
                let agent = value.lowercased()
                if agent == "*" { isCommon = true }
                if agent.hasPrefix(Self.product) { (isOwn, hasOwn) = (true, true) }
            case "allow", "disallow":
                isAfterAgents = false
                guard !value.isEmpty else { continue }
                let start = String(decoding: value.utf8.prefix(Self.patternBytesMax), as: UTF8.self)
                let pattern = start.hasSuffix("$") ? String(start.dropLast()) : start + "*"
                let rule = Rule(pattern: pattern, length: start.utf8.count, allows: name == "allow")
                if isOwn, own.count < Self.rulesMax { own.append(rule) }
                if isCommon, common.count < Self.rulesMax { common.append(rule) }
            default: continue
            }
        }
        rules = hasOwn ? own : common
    }

    /// The longest matching rule decides.
    ///
    /// If rules of this length disagree, the path is allowed.
    func allows(_ path: String) -> Bool {
        let path = String(decoding: path.utf8.prefix(Self.pathBytesMax), as: UTF8.self)
        let matching = rules.filter { Glob.matches(path, $0.pattern) }
        let longest = matching.map(\.length).max()
        let deciding = matching.filter { $0.length == longest }
        return deciding.isEmpty || deciding.contains(where: \.allows)
    }
}
