import Catalogue
import Glibc
import SearchModel

/// Where a secret is stored.
enum SecretLocation: Equatable, Sendable {
    /// The name of a file in systemd's credentials directory.
    case credential(String)
    case file(String)
    case environment(String)
    case value(String)
}

/// Finds secrets that `searchctl keys set` stored: in systemd's credentials directory, or else in `directories`.
struct SecretStore: Sendable {
    static let credentialPrefix = "keys_"

    let environment: [String: String]
    let directories: [String]

    var isSystem: Bool { environment["CREDENTIALS_DIRECTORY"]?.hasPrefix("/run/credentials/") ?? false }

    func location(of slot: String, account: String) -> SecretLocation? {
        let name = "\(account).\(slot)"
        // A name from a user's source file must not lead to another directory.
        guard !name.contains("/"), !name.hasPrefix("."), !name.utf8.contains(0) else { return nil }
        let credential = Self.credentialPrefix + name
        if let directory = environment["CREDENTIALS_DIRECTORY"], Self.exists("\(directory)/\(credential)") {
            return .credential(credential)
        }
        return directories.lazy.map { "\($0)/\(name)" }.first(where: Self.exists).map(SecretLocation.file)
    }

    /// Also true for an unreadable file: the error is reported when the file is read.
    private static func exists(_ path: String) -> Bool {
        var status = stat()
        // The kernel fills the variable and reads the path during the call.
        return unsafe lstat(path, &status) == 0
    }
}

/// Reads the secrets of accounts, and refuses files that other users can read.
struct SecretReader {
    static let bytesMax = 4096

    let environment: [String: String]
    var store = SecretStore(environment: [:], directories: [])

    /// `slots` has the names of the secrets that the account can have; a missing secret is not a problem.
    func read(
        _ name: String,
        slots: Set<String> = [],
        of configuration: Configuration
    ) -> (AccountAccess, problems: [CatalogueError]) {
        let account = configuration.accounts[name] ?? Configuration.Account()
        var access = AccountAccess(settings: account.settings, baseURL: account.baseURL)
        access.quotas = account.quotas
        if store.isSystem { access.keysCommand = AccountAccess.systemKeysCommand }
        var problems: [CatalogueError] = []
        for slot in slots.union(account.secrets.keys).sorted() {
            let key = "accounts.\(name).\(slot)"
            let configured = account.secrets[slot]
            guard let location = configured ?? store.location(of: slot, account: name) else { continue }
            do throws(CatalogueError) {
                access.secrets[slot] = try secret(at: location)
            } catch {
                let message = [error.file, error.message].filter { !$0.isEmpty }.joined(separator: " ")
                problems.append(
                    configured == nil
                        ? CatalogueError(file: error.file, key: key, error.message)
                        : configuration.problem(key, message)
                )
            }
        }
        return (access, problems)
    }

    func password(of configuration: Configuration) -> (Secret?, problems: [CatalogueError]) {
        guard let location = configuration.fleet?.password else { return (nil, []) }
        do throws(CatalogueError) {
            return (try secret(at: location, bytesMin: 1), [])
        } catch {
            let message = [error.file, error.message].filter { !$0.isEmpty }.joined(separator: " ")
            return (nil, [configuration.problem("fleet.password", message)])
        }
    }

    private func secret(
        at location: SecretLocation,
        bytesMin: Int = Secret.bytesMin
    ) throws(CatalogueError) -> Secret {
        let text: String
        var file = ""
        switch location {
        case .value(let value): text = value
        case .environment(let variable):
            guard let value = environment[variable] else {
                throw CatalogueError(file: file, "refers to a variable that is not set")
            }
            text = value
        case .file(let path):
            file = path
            text = try Self.content(of: path, mayBeGroupReadable: false)
        case .credential(let credential):
            guard let directory = environment["CREDENTIALS_DIRECTORY"] else {
                throw CatalogueError(file: file, "systemd passed no credentials to the daemon")
            }
            file = "\(directory)/\(credential)"
            // systemd adds an access control list, which looks like a permission of the group in the file's mode.
            text = try Self.content(of: file, mayBeGroupReadable: true)
        }
        let trimmed = text.trimmed
        guard trimmed.utf8.count >= bytesMin else {
            let problem = trimmed.isEmpty ? "is empty" : "is too short for a key (minimum \(Secret.bytesMin) bytes)"
            throw CatalogueError(file: file, problem)
        }
        guard trimmed.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw CatalogueError(file: file, "contains characters that are not allowed in a key")
        }
        return Secret(trimmed)
    }

    private static func content(of path: String, mayBeGroupReadable: Bool) throws(CatalogueError) -> String {
        let file = try SmallFile.read(path, bytesMax: bytesMax)
        guard mayBeGroupReadable ? !file.isReadableByAll : !file.isReadableByOthers else {
            throw CatalogueError(file: path, "can be read by others: chmod 600 \(path)")
        }
        guard let text = String(validating: file.bytes, as: UTF8.self) else {
            throw CatalogueError(file: path, "is not UTF-8")
        }
        return text
    }
}

extension String {
    fileprivate var trimmed: String {
        let blanks: Set<Character> = [" ", "\t", "\n", "\r", "\r\n"]
        let tail = drop { blanks.contains($0) }
        return String(tail.reversed().drop { blanks.contains($0) }.reversed())
    }
}
