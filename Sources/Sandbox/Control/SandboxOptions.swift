package import JSON

/// The options of the mock server, which can be changed while it runs.
package struct SandboxOptions: Equatable, Sendable {
    package var seed: UInt64 = 1
    package var base = "http://127.0.0.1"
    package var keys = SandboxKeys()
    package var limits = SandboxLimits()
    package var quirks = SandboxQuirks()
    package var faults: [FaultRule] = []

    package init() {}
}

package struct SandboxKeys: Equatable, Sendable {
    package var kakao = ["0123456789abcdef0123456789abcdef"]
    package var naver = [KeyPair(id: "sandboxNaverId000001", secret: "sandboxNav")]
    package var naverHub = [KeyPair(id: "sandboxhub", secret: "sandboxHubSecret0123456789abcdef01234567")]
    package var google = ["AIzaSandbox0123456789abcdefghijklmnopqr"]

    package var paid = ["sandboxPaidKey0123456789abcdef"]

    package struct KeyPair: Equatable, Sendable {
        package var id: String
        package var secret: String

        package init(id: String, secret: String) {
            self.id = id
            self.secret = secret
        }
    }

    package init() {}

    func all(_ name: String) -> [String] {
        switch name {
        case "kakao": kakao
        case "google": google
        case "paid": paid
        case "naver": naver.map { "\($0.id) \($0.secret)" }
        default: naverHub.map { "\($0.id) \($0.secret)" }
        }
    }
}

/// Limits by name, such as `naverPerDay`.
///
/// Nil means no limit.
@dynamicMemberLookup
package struct SandboxLimits: Equatable, Sendable {
    static let names = API.all.flatMap(\.limits).map(\.name)

    private var values: [String: Int] = [:]

    package init() {
        for limit in API.all.flatMap(\.limits) { values[limit.name] = limit.value.int }
    }

    package static var none: SandboxLimits {
        var limits = SandboxLimits()
        limits.values = [:]
        return limits
    }

    package subscript(dynamicMember name: String) -> Int? {
        get { values[name] }
        set {
            precondition(Self.names.contains(name), "unknown limit \(name)")
            values[name] = newValue
        }
    }
}

package struct SandboxQuirks: Equatable, Sendable {
    /// Whether the totals in answers are estimates that change with time.
    package var totalsDrift = true
    /// After this number of calls, each source has one more document to find; 0 means never.
    package var callsPerNewDocument = 0
    package var pricePercent = 100

    package init() {}
}

package struct OptionsProblem: Error, Equatable, Sendable {
    package let message: String

    init(_ message: String) { self.message = message }

    static func unknown(_ kind: String, _ name: String, _ known: [String]) -> OptionsProblem {
        OptionsProblem("unknown \(kind) \(name); use one of \(known.joined(separator: ", "))")
    }
}

extension SandboxOptions {
    /// If one option has an error, no option changes.
    package mutating func apply(_ value: JSONValue) throws(OptionsProblem) {
        guard let members = value.members else { throw OptionsProblem("options must be an object") }
        var changed = self
        for member in members {
            switch member.name {
            case "seed": changed.seed = UInt64(try member.number(0...Int.max))
            case "base": changed.base = try member.text()
            case "keys": for key in member.value.members ?? [] { try changed.keys.set(key) }
            case "limits":
                // Null as `limits` removes all limits. Null as a member removes one limit.
                if member.value.isNull { changed.limits = .none }
                for limit in member.value.members ?? [] {
                    guard SandboxLimits.names.contains(limit.name) else {
                        throw .unknown("limit", limit.name, SandboxLimits.names)
                    }
                    changed.limits[dynamicMember: limit.name] = limit.value.isNull ? nil : try limit.number(0...Int.max)
                }
            case "quirks": for quirk in member.value.members ?? [] { try changed.quirks.set(quirk) }
            case "faults":
                changed.faults = []
                for rule in member.value.array ?? [.null] { changed.faults.append(try FaultRule(rule)) }
            default: throw .unknown("option", member.name, ["seed", "base", "keys", "limits", "quirks", "faults"])
            }
        }
        self = changed
    }
}

extension SandboxKeys {
    var json: JSONValue {
        func pairs(_ list: [KeyPair]) -> JSONValue {
            .array(list.map { ["id": .string($0.id), "secret": .string($0.secret)] })
        }
        return [
            "kakao": .strings(kakao), "google": .strings(google), "naver": pairs(naver), "naverHub": pairs(naverHub),
            "paid": .strings(paid),
        ]
    }

    fileprivate mutating func set(_ member: JSONMember) throws(OptionsProblem) {
        let texts = (member.value.array ?? []).compactMap(\.string)
        let pairs = (member.value.array ?? []).compactMap { item in
            item["id"]?.string.flatMap { id in item["secret"]?.string.map { KeyPair(id: id, secret: $0) } }
        }
        let isPair = member.name.hasPrefix("naver")
        guard let count = member.value.array?.count, count == (isPair ? pairs.count : texts.count) else {
            let kind = isPair ? "objects with id and secret" : "strings"
            throw OptionsProblem("\(member.name) must be an array of \(kind)")
        }
        switch member.name {
        case "kakao": kakao = texts
        case "google": google = texts
        case "paid": paid = texts
        case "naver": naver = pairs
        case "naverHub": naverHub = pairs
        default: throw .unknown("key", member.name, ["kakao", "google", "naver", "naverHub", "paid"])
        }
    }
}

extension SandboxQuirks {
    fileprivate mutating func set(_ member: JSONMember) throws(OptionsProblem) {
        switch member.name {
        case "totalsDrift":
            guard let flag = member.value.bool else { throw OptionsProblem("totalsDrift must be true or false") }
            totalsDrift = flag
        case "callsPerNewDocument": callsPerNewDocument = try member.number(0...1_000_000)
        case "pricePercent": pricePercent = try member.number(0...1_000_000)
        default: throw .unknown("quirk", member.name, ["totalsDrift", "callsPerNewDocument", "pricePercent"])
        }
    }
}

extension JSONMember {
    func number(_ range: ClosedRange<Int>) throws(OptionsProblem) -> Int {
        guard let number = value.int, range.contains(number) else {
            throw OptionsProblem("\(name) must be a whole number, \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func text() throws(OptionsProblem) -> String {
        guard let text = value.string else { throw OptionsProblem("\(name) must be a string") }
        return text
    }
}
