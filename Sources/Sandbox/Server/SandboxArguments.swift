import JSON

/// The command line of `searchd-sandbox`.
struct SandboxArguments: Equatable, Sendable {
    var port: UInt16 = 0
    var printsPort = false
    var wantsHelp = false
    var options = SandboxOptions()

    init(_ arguments: [String]) throws(OptionsProblem) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": wantsHelp = true
            case "--print-port": printsPort = true
            case "--unlimited": options.limits = .none
            case "--drift": options.quirks.totalsDrift = try Self.value(argument, &rest) != "off"
            case "--port": port = try Self.number(argument, &rest)
            case "--seed": options.seed = try Self.number(argument, &rest)
            case "--fault": options.faults.append(try FaultRule(argument: Self.value(argument, &rest)))
            case "--kakao-key": options.keys.kakao = [try Self.value(argument, &rest)]
            case "--google-key": options.keys.google = [try Self.value(argument, &rest)]
            case "--naver-key": options.keys.naver = [try Self.pair(argument, &rest)]
            case "--hub-key": options.keys.naverHub = [try Self.pair(argument, &rest)]
            case "--limit": try apply("limits", argument, &rest)
            case "--quirk": try apply("quirks", argument, &rest)
            case "--options": try apply(json: Self.value(argument, &rest))
            default: throw OptionsProblem("unknown argument \(argument); --help lists what there is")
            }
        }
    }

    private static func value(_ name: String, _ rest: inout ArraySlice<String>) throws(OptionsProblem) -> String {
        guard let value = rest.popFirst() else { throw OptionsProblem("\(name) takes a value") }
        return value
    }

    private static func number<Number: FixedWidthInteger>(
        _ name: String,
        _ rest: inout ArraySlice<String>
    ) throws(OptionsProblem) -> Number {
        guard let number = Number(try value(name, &rest)) else {
            throw OptionsProblem("\(name) takes a number from 0 to \(Number.max)")
        }
        return number
    }

    private static func pair(
        _ name: String,
        _ rest: inout ArraySlice<String>
    ) throws(OptionsProblem) -> SandboxKeys.KeyPair {
        let parts = try value(name, &rest).split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { throw OptionsProblem("\(name) takes ID:SECRET") }
        return SandboxKeys.KeyPair(id: String(parts[0]), secret: String(parts[1]))
    }

    /// `NAME=VALUE` into one group of the options.
    private mutating func apply(
        _ group: String,
        _ name: String,
        _ rest: inout ArraySlice<String>
    ) throws(OptionsProblem) {
        let parts = try Self.value(name, &rest).split(separator: "=", maxSplits: 1)
        guard parts.count == 2 else { throw OptionsProblem("\(name) takes NAME=VALUE") }
        let value = (try? JSONDocument(Array(parts[1].utf8)))?.root.value ?? .string(String(parts[1]))
        try options.apply(.object([JSONMember(group, .object([JSONMember(String(parts[0]), value)]))]))
    }

    private mutating func apply(json: String) throws(OptionsProblem) {
        guard let document = try? JSONDocument(Array(json.utf8)) else {
            throw OptionsProblem("--options takes a JSON object")
        }
        try options.apply(document.root.value)
    }
}
