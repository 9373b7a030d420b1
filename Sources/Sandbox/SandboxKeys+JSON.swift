import JSON

extension SandboxKeys {
    /// The accepted keys as options and the ready line show them; they open nothing but a sandbox.
    var json: JSONValue {
        Body.object([
            "kakao": .strings(kakao), "google": .strings(google), "naver": Self.json(naver),
            "naverHub": Self.json(naverHub), "naverDisabled": .strings(naverDisabled),
        ])
    }

    mutating func apply(_ value: JSONValue) throws(OptionsProblem) {
        for member in value.members ?? [] {
            switch member.name {
            case "kakao": kakao = try SandboxOptions.texts(member)
            case "google": google = try SandboxOptions.texts(member)
            case "naver": naver = try Self.pairs(member)
            case "naverHub": naverHub = try Self.pairs(member)
            case "naverDisabled": naverDisabled = try SandboxOptions.texts(member)
            default:
                throw OptionsProblem("no keys \(member.name); there are kakao, google, naver, naverHub, naverDisabled")
            }
        }
    }

    private static func json(_ pairs: [KeyPair]) -> JSONValue {
        .array(pairs.map { Body.object(["id": .string($0.id), "secret": .string($0.secret)]) })
    }

    private static func pairs(_ member: JSONMember) throws(OptionsProblem) -> [KeyPair] {
        var pairs: [KeyPair] = []
        for item in member.value.array ?? [.null] {
            guard let id = item["id"]?.string, let secret = item["secret"]?.string else {
                throw OptionsProblem("\(member.name) is an array of objects with id and secret")
            }
            pairs.append(KeyPair(id: id, secret: secret))
        }
        return pairs
    }
}
