import CPlatform
import EventLoop
import Glibc
import SearchModel

/// The directory of stored keys.
///
/// The file of a key is called `ACCOUNT.NAME`.
struct KeyStore {
    static let systemDirectory = "/etc/searchd/keys"

    let directory: String

    init(environment: Environment, isSystem: Bool) throws(ClientError) {
        let home = environment.directory("HOME").map { $0 + "/.config" }
        let own = (environment.directory("XDG_CONFIG_HOME") ?? home).map { $0 + "/searchd/keys" }
        guard let directory = isSystem ? Self.systemDirectory : own else {
            throw ClientError(
                .init(.notConfigured),
                "no directory for your keys: neither XDG_CONFIG_HOME nor HOME is set",
                hint: "Set HOME, or use --system for the system's service."
            )
        }
        self.directory = directory
    }

    init(directory: String) {
        self.directory = directory
    }

    private func path(_ account: String, _ secret: String) -> String { "\(directory)/\(account).\(secret)" }

    func has(_ account: String, _ secret: String) -> Bool {
        // The path is valid during the call.
        unsafe access(path(account, secret), F_OK) == 0
    }

    /// Returns the file of the key if other users can read it.
    ///
    /// searchd refuses such a file.
    func openFile(_ account: String, _ secret: String) -> String? {
        let path = path(account, secret)
        return PathFacts(of: path).flatMap { $0.mode & 0o077 == 0 ? nil : path }
    }

    func key(_ account: String, _ secret: String) throws(ClientError) -> KeyText? {
        try check(account, secret)
        return SystemCall.contents(of: path(account, secret)).flatMap { try? KeyText($0) }
    }

    func save(_ key: KeyText, _ account: String, _ secret: String) throws(ClientError) {
        try check(account, secret)
        StateFile.createDirectory(directory)
        guard let facts = PathFacts(of: directory) else { throw failure(directory) }
        guard facts.isDirectory, facts.userID == geteuid(), facts.mode & 0o077 == 0 else {
            throw ClientError(
                .init(.forbidden),
                "other users can read \(directory), or it belongs to another user",
                hint: "Run “chmod 700 \(directory)”, or remove the directory if it belongs to another user."
            )
        }
        let text = key.bytes + [UInt8(ascii: "\n")]
        guard StateFile.replace("\(account).\(secret)", in: directory, with: text, isDurable: true) else {
            throw failure(path(account, secret))
        }
    }

    func remove(_ account: String, _ secret: String) throws(ClientError) -> Bool {
        try check(account, secret)
        let path = path(account, secret)
        // The path is valid during the call.
        if unsafe unlink(path) == 0 { return true }
        guard platform_errno() == ENOENT || platform_errno() == ENOTDIR else { throw failure(path) }
        return false
    }

    /// Refuses a name from a source file if the name would lead to another directory.
    private func check(_ account: String, _ secret: String) throws(ClientError) {
        for name in [account, secret] {
            guard !name.isEmpty, !name.hasPrefix("."), !name.contains("/"), !name.utf8.contains(0) else {
                throw ClientError(.usage, "“\(name)” is not a valid name of an account or a secret")
            }
        }
    }

    private func failure(_ path: String) -> ClientError {
        let error = SystemError(call: path, number: platform_errno())
        guard [EACCES, EPERM, EROFS].contains(error.number) else { return ClientError(error) }
        let hint = directory == Self.systemDirectory ? "Use sudo." : "Check who owns \(directory)"
        return ClientError(.init(.forbidden), "the keys can't be changed (\(error))", hint: hint)
    }
}
