import JSON

extension SandboxKeys {
    /// The accepted keys as options and the ready line show them; they open nothing but a sandbox.
    var json: JSONValue {
        Body.object([
            "kakao": .strings(kakao), "google": .strings(google), "naver": Self.json(naver),
            "naverHub": Self.json(naverHub), "naverDisabled": .strings(naverDisabled),
        ])
    }

    private static func json(_ pairs: [KeyPair]) -> JSONValue {
        .array(pairs.map { Body.object(["id": .string($0.id), "secret": .string($0.secret)]) })
    }
}
