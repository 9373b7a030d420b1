import JSON

/// A fault that occurs in some of the requests to some sources.
package struct FaultRule: Equatable, Sendable {
    /// A source such as `kakao.blog`, or a pattern that ends with a star, such as `naver.*` or `*`.
    package var source: String
    package var name: String
    package var share: Double
    package var times: Int?
    package var milliseconds: Int?
    package var bytes: Int?
    package var status: Int?
    package var retryAfter: Int?
    package var location: String?

    package init(source: String, name: String, share: Double = 1, times: Int? = nil) {
        self.source = source
        self.name = name
        self.share = share
        self.times = times
    }

    func covers(_ source: String) -> Bool {
        self.source.hasSuffix("*") ? source.hasPrefix(self.source.dropLast()) : source == self.source
    }

    static func names(for source: String) -> [String] {
        let apis = API.all.filter { api in
            let prefix = api.account + "."
            let isCovered = source.hasSuffix("*") && prefix.hasPrefix(source.dropLast())
            return isCovered || source.hasPrefix(prefix)
        }
        return GeneralFault.allCases.map(\.rawValue) + Set(apis.flatMap(\.errors.keys)).sorted()
    }
}

extension FaultRule {
    init(_ value: JSONValue) throws(OptionsProblem) {
        guard let source = value["source"]?.string, let name = value["name"]?.string else {
            throw OptionsProblem("a fault must have a source and a name")
        }
        self.init(source: source, name: name)
        for member in value.members ?? [] where !["source", "name"].contains(member.name) { try set(member) }
        let names = Self.names(for: source)
        if !names.contains(name) { throw .unknown("fault of \(source):", name, names) }
    }

    private mutating func set(_ member: JSONMember) throws(OptionsProblem) {
        switch member.name {
        case "share":
            guard let share = member.value.double, (0...1).contains(share) else {
                throw OptionsProblem("share must be a number from 0 to 1")
            }
            self.share = share
        case "times": times = try member.number(0...1_000_000)
        case "milliseconds": milliseconds = try member.number(0...3_600_000)
        case "bytes": bytes = try member.number(0...1 << 30)
        case "status": status = try member.number(200...599)
        case "retryAfter": retryAfter = try member.number(0...86_400)
        case "location": location = try member.text()
        default: throw OptionsProblem("unknown member \(member.name) of a fault")
        }
    }
}

struct FaultChooser: Sendable {
    private var dice: Dice
    private var met: [Int] = []

    init(seed: UInt64) { dice = Dice(seed, 0xFA_017) }

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
}
