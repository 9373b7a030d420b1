import JSON

/// Everything about the mock server that can be chosen; all of it can be changed while it runs.
package struct SandboxOptions: Equatable, Sendable {
    /// Another seed makes other documents.
    package var seed: UInt64 = 1
    /// Where the server is reached: the beginning of the picture URLs in its answers.
    package var base = "http://127.0.0.1"
    package var keys = SandboxKeys()
    package var limits = SandboxLimits()
    package var quirks = SandboxQuirks()
    package var faults: [FaultRule] = []

    package init() {}
}

/// The keys that the mock server accepts.
package struct SandboxKeys: Equatable, Sendable {
    /// REST keys: 32 lower-case hexadecimal digits.
    package var kakao = ["0123456789abcdef0123456789abcdef"]
    package var naver = [KeyPair(id: "sandboxNaverId000001", secret: "sandboxNav")]
    package var naverHub = [KeyPair(id: "sandboxhub", secret: "sandboxHubSecret0123456789abcdef01234567")]
    /// API keys: `AIza` and 35 more characters.
    package var google = ["AIzaSandbox0123456789abcdefghijklmnopqr"]
    /// Endpoints that Naver's application has not been given (`blog`, `news`, …).
    package var naverDisabled: [String] = []

    package struct KeyPair: Equatable, Sendable {
        package var id: String
        package var secret: String

        package init(id: String, secret: String) {
            self.id = id
            self.secret = secret
        }

        /// Both in one text, as rules compare them.
        var joined: String { "\(id) \(secret)" }
    }

    package init() {}

    /// All keys of a name; pairs as `id secret`.
    func all(_ name: String) -> [String] {
        switch name {
        case "kakao": kakao
        case "naver": naver.map(\.joined)
        case "naverHub": naverHub.map(\.joined)
        case "google": google
        case "naverDisabled": naverDisabled
        default: preconditionFailure("unknown keys \(name)")
        }
    }
}

/// How many calls are let through, by the names in the APIs' files; nil lets any number through.
@dynamicMemberLookup
package struct SandboxLimits: Equatable, Sendable {
    static let names = API.all.flatMap(\.limits).map(\.name)

    var values: [String: Int] = [:]

    package init() {
        for limit in API.all.flatMap(\.limits) { values[limit.name] = limit.value.int }
    }

    /// Lets everything through, for measurements.
    package static var none: SandboxLimits {
        var limits = SandboxLimits()
        limits.values = [:]
        return limits
    }

    package subscript(dynamicMember name: String) -> Int? {
        get { values[Self.known(name)] }
        set { values[Self.known(name)] = newValue }
    }

    private static func known(_ name: String) -> String {
        precondition(names.contains(name), "unknown limit \(name)")
        return name
    }
}

/// Which of two behaviours the mock server shows where the real one changes or is unknown; by the names in the APIs'
/// files, which explain them.
@dynamicMemberLookup
package struct SandboxQuirks: Equatable, Sendable {
    static let usual = API.all.flatMap(\.quirks) + (WorldFile.root["quirks"]?.members ?? [])

    var values = Dictionary(usual.map { ($0.name, $0.value) }) { first, _ in first }

    package init() {}

    package subscript(dynamicMember name: String) -> Bool {
        get { known(name).isSet }
        set { change(name, .bool(newValue)) }
    }

    package subscript(dynamicMember name: String) -> Int {
        get { known(name).int ?? 0 }
        set { change(name, .integer(newValue)) }
    }

    private func known(_ name: String) -> JSONValue {
        guard let value = values[name] else { preconditionFailure("unknown quirk \(name)") }
        return value
    }

    private mutating func change(_ name: String, _ value: JSONValue) {
        precondition((known(name).bool == nil) == (value.bool == nil), "the quirk \(name) has another type")
        values[name] = value
    }
}
