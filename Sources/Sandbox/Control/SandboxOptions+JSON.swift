package import JSON

/// What is wrong with options that were sent.
package struct OptionsProblem: Error, Equatable, Sendable {
    package let message: String

    init(_ message: String) {
        self.message = message
    }
}

extension SandboxOptions {
    /// All options, in the form that `apply` takes.
    package var json: JSONValue {
        let limits = SandboxLimits.names.map { JSONMember($0, self.limits.values[$0].map { .integer($0) } ?? .null) }
        let quirks = SandboxQuirks.usual.map { JSONMember($0.name, self.quirks.values[$0.name] ?? $0.value) }
        return [
            "seed": .integer(Int(clamping: seed)), "base": .string(base), "keys": keys.json, "limits": .object(limits),
            "quirks": .object(quirks), "faults": .array(faults.map(\.json)),
        ]
    }

    /// Changes what the object names and leaves the rest; on a problem nothing is changed.
    package mutating func apply(_ value: JSONValue) throws(OptionsProblem) {
        guard let members = value.members else { throw OptionsProblem("options must be an object") }
        var changed = self
        for member in members {
            switch member.name {
            case "seed": changed.seed = UInt64(try Self.number(member, 0...Int.max))
            case "base": changed.base = try Self.text(member)
            case "keys": try changed.keys.apply(member.value)
            case "limits": try changed.limits.apply(member.value)
            case "quirks": try changed.quirks.apply(member.value)
            case "faults":
                guard let list = member.value.array else { throw OptionsProblem("faults must be an array") }
                changed.faults = []
                for item in list { changed.faults.append(try FaultRule(item)) }
            default: throw Self.unknown("option", member.name, ["seed", "base", "keys", "limits", "quirks", "faults"])
            }
        }
        self = changed
    }

    static func unknown(_ kind: String, _ name: String, _ known: [String]) -> OptionsProblem {
        OptionsProblem("unknown \(kind) \(name); use one of \(known.joined(separator: ", "))")
    }

    static func number(_ member: JSONMember, _ range: ClosedRange<Int>) throws(OptionsProblem) -> Int {
        guard let number = member.value.int, range.contains(number) else {
            throw OptionsProblem("\(member.name) must be a whole number, \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    static func text(_ member: JSONMember) throws(OptionsProblem) -> String {
        guard let text = member.value.string else { throw OptionsProblem("\(member.name) must be a string") }
        return text
    }
}

extension SandboxKeys {
    /// The accepted keys, as the options and the ready line show them.
    var json: JSONValue {
        func pairs(_ list: [KeyPair]) -> JSONValue {
            .array(list.map { ["id": .string($0.id), "secret": .string($0.secret)] })
        }
        return [
            "kakao": .strings(kakao), "google": .strings(google), "naver": pairs(naver), "naverHub": pairs(naverHub),
            "naverDisabled": .strings(naverDisabled),
        ]
    }

    mutating func apply(_ value: JSONValue) throws(OptionsProblem) {
        for member in value.members ?? [] {
            switch member.name {
            case "kakao": kakao = try Self.texts(member)
            case "google": google = try Self.texts(member)
            case "naver": naver = try Self.pairs(member)
            case "naverHub": naverHub = try Self.pairs(member)
            case "naverDisabled": naverDisabled = try Self.texts(member)
            default: throw SandboxOptions.unknown("keys", member.name, json.members?.map(\.name) ?? [])
            }
        }
    }

    private static func texts(_ member: JSONMember) throws(OptionsProblem) -> [String] {
        guard let list = member.value.array, case let texts = list.compactMap(\.string), texts.count == list.count
        else { throw OptionsProblem("\(member.name) must be an array of strings") }
        return texts
    }

    private static func pairs(_ member: JSONMember) throws(OptionsProblem) -> [KeyPair] {
        var pairs: [KeyPair] = []
        for item in member.value.array ?? [.null] {
            guard let id = item["id"]?.string, let secret = item["secret"]?.string else {
                throw OptionsProblem("\(member.name) must be an array of objects with id and secret")
            }
            pairs.append(KeyPair(id: id, secret: secret))
        }
        return pairs
    }
}

extension SandboxLimits {
    /// null removes a limit; null instead of the object removes all of them.
    mutating func apply(_ value: JSONValue) throws(OptionsProblem) {
        if value.isNull { self = .none }
        for member in value.members ?? [] {
            guard Self.names.contains(member.name) else {
                throw SandboxOptions.unknown("limit", member.name, Self.names)
            }
            values[member.name] = member.value.isNull ? nil : try SandboxOptions.number(member, 0...Int.max)
        }
    }
}

extension SandboxQuirks {
    mutating func apply(_ value: JSONValue) throws(OptionsProblem) {
        for member in value.members ?? [] {
            guard let present = values[member.name] else {
                throw SandboxOptions.unknown("quirk", member.name, Self.usual.map(\.name))
            }
            if present.bool != nil {
                guard member.value.bool != nil else { throw OptionsProblem("\(member.name) must be true or false") }
                values[member.name] = member.value
            } else {
                values[member.name] = .integer(try SandboxOptions.number(member, 0...1_000_000))
            }
        }
    }
}
