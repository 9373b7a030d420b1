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
        let limits = SandboxLimits.names.map { name, path in
            JSONMember(name, self.limits[keyPath: path].map { .integer($0) } ?? .null)
        }
        let switches = SandboxQuirks.switches.map { JSONMember($0.name, .bool(quirks[keyPath: $0.path])) }
        let numbers = SandboxQuirks.numbers.map { JSONMember($0.name, .integer(quirks[keyPath: $0.path])) }
        return Body.object([
            "seed": .integer(Int(clamping: seed)), "base": .string(base), "keys": keys.json, "limits": .object(limits),
            "quirks": .object(switches + numbers), "faults": .array(faults.map(\.json)),
        ])
    }

    /// Changes what the object names and leaves the rest; on a problem nothing is changed.
    package mutating func apply(_ value: JSONValue) throws(OptionsProblem) {
        guard let members = value.members else { throw OptionsProblem("options are an object") }
        var changed = self
        for member in members {
            switch member.name {
            case "seed": changed.seed = UInt64(try Self.number(member, 0...Int.max))
            case "base": changed.base = try Self.text(member)
            case "keys": try changed.keys.apply(member.value)
            case "limits": try changed.limits.apply(member.value)
            case "quirks": try changed.quirks.apply(member.value)
            case "faults": changed.faults = try Self.rules(member.value)
            default:
                throw OptionsProblem("no option \(member.name); there are seed, base, keys, limits, quirks, faults")
            }
        }
        self = changed
    }

    private static func rules(_ value: JSONValue) throws(OptionsProblem) -> [FaultRule] {
        guard let list = value.array else { throw OptionsProblem("faults are an array") }
        var rules: [FaultRule] = []
        for item in list { rules.append(try FaultRule(item)) }
        return rules
    }

    static func number(_ member: JSONMember, _ range: ClosedRange<Int>) throws(OptionsProblem) -> Int {
        guard let number = member.value.int, range.contains(number) else {
            throw OptionsProblem("\(member.name) is a whole number, \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    static func text(_ member: JSONMember) throws(OptionsProblem) -> String {
        guard let text = member.value.string else { throw OptionsProblem("\(member.name) is a string") }
        return text
    }

    static func texts(_ member: JSONMember) throws(OptionsProblem) -> [String] {
        guard let list = member.value.array, case let texts = list.compactMap(\.string), texts.count == list.count
        else {
            throw OptionsProblem("\(member.name) is an array of strings")
        }
        return texts
    }
}

extension SandboxLimits {
    /// null takes a limit away; `null` instead of the object takes all of them away.
    mutating func apply(_ value: JSONValue) throws(OptionsProblem) {
        if value.isNull {
            self = .none
            return
        }
        for member in value.members ?? [] {
            guard let path = Self.names.first(where: { $0.name == member.name })?.path else {
                throw OptionsProblem(
                    "no limit \(member.name); there are \(Self.names.map(\.name).joined(separator: ", "))"
                )
            }
            self[keyPath: path] =
                member.value.isNull ? nil : try SandboxOptions.number(member, 0...Int.max)
        }
    }
}

extension SandboxQuirks {
    mutating func apply(_ value: JSONValue) throws(OptionsProblem) {
        for member in value.members ?? [] {
            if let path = Self.switches.first(where: { $0.name == member.name })?.path {
                guard let isOn = member.value.bool else { throw OptionsProblem("\(member.name) is true or false") }
                self[keyPath: path] = isOn
            } else if let path = Self.numbers.first(where: { $0.name == member.name })?.path {
                self[keyPath: path] = try SandboxOptions.number(member, 0...1_000_000)
            } else {
                let names = Self.switches.map(\.name) + Self.numbers.map(\.name)
                throw OptionsProblem("no quirk \(member.name); there are \(names.joined(separator: ", "))")
            }
        }
    }
}
