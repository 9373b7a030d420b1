import HTTP
import Sandbox
import TestSupport
import Testing

/// Runs a body with a sandbox without quotas, and the one Kakao key that it takes.
///
/// The body has a thread of its own, so it may block.
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

/// A configuration in which every account leads to a sandbox, so that no test ever asks a real source.
func sandboxConfiguration(_ base: String, _ key: String, _ more: String = "", _ members: String = "") -> String {
    let keyless = ["itunes", "openlibrary", "hackernews"]
    let accounts = keyless.map { "\($0): { baseURL: \"\(base)/\($0)\" }," }.joined(separator: "\n        ")
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

/// The accounts that need keys beside Kakao's, as the configuration has them.
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

/// 32 hexadecimal digits, as Kakao's keys are.
func randomKey() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<32).map { _ in String(generator.next(upperBound: UInt8(16)), radix: 16) }.joined()
}
