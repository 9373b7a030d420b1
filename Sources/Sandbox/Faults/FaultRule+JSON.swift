import JSON

extension FaultRule {
    var json: JSONValue {
        Body.object([
            "source": .string(source), "name": .string(name),
            "share": JSONNumber(share).map { .number($0) },
            "times": times.map { .integer($0) }, "milliseconds": milliseconds.map { .integer($0) },
            "bytes": bytes.map { .integer($0) }, "status": status.map { .integer($0) },
            "retryAfter": retryAfter.map { .integer($0) }, "location": location.map { .string($0) },
        ])
    }

    /// A rule out of `{"source":…,"name":…,"share":…}`; the share is 1 when it is not said.
    init(_ value: JSONValue) throws(OptionsProblem) {
        guard let source = value["source"]?.string, let name = value["name"]?.string else {
            throw OptionsProblem("a fault has a source and a name")
        }
        self.init(source: source, name: name)
        for member in value.members ?? [] where !["source", "name"].contains(member.name) {
            try set(member)
        }
        try check()
    }

    /// A rule out of `SOURCE:NAME[:SHARE][,times=N][,milliseconds=N][,bytes=N][,status=N][,retryAfter=N]`.
    init(argument: String) throws(OptionsProblem) {
        let parts = argument.split(separator: ",")
        let head = parts.first?.split(separator: ":") ?? []
        guard head.count == 2 || head.count == 3 else { throw OptionsProblem("a fault is SOURCE:NAME[:SHARE]") }
        self.init(source: String(head[0]), name: String(head[1]))
        if head.count == 3 { try set(JSONMember("share", Self.value(head[2]))) }
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { throw OptionsProblem("\(part) is not name=value") }
            try set(JSONMember(String(pair[0]), Self.value(pair[1])))
        }
        try check()
    }

    private static func value(_ text: Substring) -> JSONValue {
        (try? JSONDocument(Array(text.utf8)))?.root.value ?? .string(String(text))
    }

    private mutating func set(_ member: JSONMember) throws(OptionsProblem) {
        switch member.name {
        case "share":
            guard let share = member.value.double, (0...1).contains(share) else {
                throw OptionsProblem("share is a number from 0 to 1")
            }
            self.share = share
        case "times": times = try SandboxOptions.number(member, 0...1_000_000)
        case "milliseconds": milliseconds = try SandboxOptions.number(member, 0...3_600_000)
        case "bytes": bytes = try SandboxOptions.number(member, 0...1 << 30)
        case "status": status = try SandboxOptions.number(member, 200...599)
        case "retryAfter": retryAfter = try SandboxOptions.number(member, 0...86_400)
        case "location": location = try SandboxOptions.text(member)
        default: throw OptionsProblem("a fault has no \(member.name)")
        }
    }

    private func check() throws(OptionsProblem) {
        let names = Self.names(for: source)
        guard names.contains(name) else {
            throw OptionsProblem("\(source) has no fault \(name); there are \(names.joined(separator: ", "))")
        }
    }
}
