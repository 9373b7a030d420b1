import CPlatform
import EventLoop
import Glibc
import SearchModel

/// The directory of stored keys, each in a file `ACCOUNT.NAME` that only its owner can read.
///
/// It is where the daemon looks for secrets that its configuration does not name. A file is replaced as a whole, by
/// renaming, so that no reader ever finds half a key.
struct KeyStore {
    /// Handed by systemd to the system's service.
    static let systemDirectory = "/etc/searchd/keys"

    let directory: String

    /// The user's own, or the system's.
    ///
    /// - Throws: When the user has no directory for such a thing.
    init(environment: Environment, isSystem: Bool) throws(ClientError) {
        if isSystem {
            directory = Self.systemDirectory
            return
        }
        let home = environment.directory("HOME").map { $0 + "/.config" }
        guard let base = environment.directory("XDG_CONFIG_HOME") ?? home else {
            throw ClientError(
                .init(.notConfigured),
                "there is no directory for your keys: neither XDG_CONFIG_HOME nor HOME is set",
                hint: "Set HOME, or use --system for the system's service"
            )
        }
        directory = base + "/searchd/keys"
    }

    init(directory: String) {
        self.directory = directory
    }

    func path(_ account: String, _ secret: String) -> String { "\(directory)/\(account).\(secret)" }

    /// Whether a key is stored; it is not read.
    func has(_ account: String, _ secret: String) -> Bool {
        // The path lives through the call.
        unsafe access(path(account, secret), F_OK) == 0
    }

    /// Stores a key instead of the one before.
    func save(_ key: KeyText, _ account: String, _ secret: String) throws(ClientError) {
        try check(account, secret)
        try prepare()
        let path = path(account, secret)
        let draft = "\(directory)/.\(account).\(secret).\(getpid())"
        // What a crash left behind under this very name is ours, and worthless. The paths live through the calls.
        _ = unsafe unlink(draft)
        let raw = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard raw >= 0 else { throw failure(draft) }
        do throws(ClientError) {
            try write(key, FileDescriptor(owning: raw), draft)
            guard unsafe rename(draft, path) == 0 else { throw failure(path) }
        } catch {
            _ = unsafe unlink(draft)
            throw error
        }
    }

    /// Removes a key; false when there was none.
    func remove(_ account: String, _ secret: String) throws(ClientError) -> Bool {
        try check(account, secret)
        let path = path(account, secret)
        // The path lives through the call.
        if unsafe unlink(path) == 0 { return true }
        guard platform_errno() == ENOENT || platform_errno() == ENOTDIR else { throw failure(path) }
        return false
    }

    private func write(_ key: KeyText, _ file: consuming FileDescriptor, _ path: String) throws(ClientError) {
        var rest = (key.bytes + [UInt8(ascii: "\n")])[...]
        while !rest.isEmpty { rest = rest.dropFirst(try Transfers.write(rest, to: file.raw)) }
        // A power cut must not leave an empty file under the key's name.
        guard fchmod(file.raw, 0o600) == 0, fsync(file.raw) == 0 else { throw failure(path) }
    }

    /// Makes the directory, and refuses one that others can look or write into.
    private func prepare() throws(ClientError) {
        Transfers.makeDirectories(directory)
        var status = stat()
        // The kernel fills the local, which outlives the call.
        guard unsafe stat(directory, &status) == 0 else { throw failure(directory) }
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw ClientError(
                .init(.forbidden),
                "\(directory) is not yours alone",
                hint: "Run “chmod 700 \(directory)”, or remove it if it belongs to another user."
            )
        }
    }

    /// Names come from source files that anyone may have written; none may lead to another directory.
    private func check(_ account: String, _ secret: String) throws(ClientError) {
        for name in [account, secret] {
            guard !name.isEmpty, !name.hasPrefix("."), !name.contains("/"), !name.utf8.contains(0) else {
                throw ClientError(.usage, "“\(name)” is no name of an account or a secret")
            }
        }
    }

    private func failure(_ path: String) -> ClientError {
        let number = platform_errno()
        let error = SystemError(call: path, number: number)
        guard number == EACCES || number == EPERM || number == EROFS else { return ClientError(error) }
        let hint = directory == Self.systemDirectory ? "Use sudo" : "Check who owns \(directory)"
        return ClientError(.init(.forbidden), "the keys can't be changed (\(error))", hint: hint)
    }
}
