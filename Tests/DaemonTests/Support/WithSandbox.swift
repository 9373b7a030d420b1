import Catalogue
import HTTP
import Sandbox
import TestSupport
import Testing

/// Runs a body with a mock server, which accepts only `key` for Kakao.
///
/// The body has its own thread, so it may block.
func withSandbox(_ body: (SandboxServer, _ key: String) async throws -> Void) async throws {
    var options = SandboxOptions()
    let key = randomKey()
    options.limits = .none
    options.keys.kakao = [key]
    try await Gate.heavy.pass {
        try await onOwnThread {
            try await withLoop("sandbox") { loop in
                let sandbox = try await SandboxServer.start(on: loop, options: options)
                try await body(sandbox, key)
                await sandbox.stop()
            }
        }
    }
}

func sandboxConfiguration(_ base: String, _ key: String, _ more: String = "", _ members: String = "") -> String {
    let keyless = Set(builtInSources.map(\.account)).subtracting(["kakao", "naver", "google", "wikipedia"]).sorted()
    let accounts = keyless.map { "\($0): { baseURL: \"\(base)/\($0)\" }," }.joined(separator: " ")
    return """
        {
            accounts: {
                kakao: { key: { value: "\(key)" }, baseURL: "\(base)/kakao" },
                \(accounts)
                wikipedia: { baseURL: "\(base)/wikipedia/{lang}" },
                \(more)
            },
            defaultSources: ["kakao.blog"],
            \(members)
        }
        """
}

func keyedAccounts(_ base: String) -> String {
    let keys = SandboxKeys()
    return """
        naver: {
            id: { value: "\(keys.naver[0].id)" }, secret: { value: "\(keys.naver[0].secret)" },
            baseURL: "\(base)/naver",
        },
        google: { key: { value: "\(keys.google[0])" }, baseURL: "\(base)/google" },
        """
}

func randomKey() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<32).map { _ in String(generator.next(upperBound: UInt8(16)), radix: 16) }.joined()
}
