import Catalogue
import EventLoop
import SearchModel

/// Reads secrets from where the configuration says they are.
struct SecretReader {
    static let bytesMax = 4096

    let environment: [String: String]
    /// Where secrets are found that the configuration does not name.
    var store = SecretStore(environment: [:], directories: [])

    /// The secrets of an account, and a problem for each that could not be read; the account then lacks it.
    ///
    /// `slots` is every secret that its sources could use: those that the configuration does not name are looked for in
    /// the store, where missing is no problem.
    func read(
        _ name: String,
        slots: Set<String> = [],
        of configuration: Configuration
    ) -> (AccountAccess, problems: [CatalogueError]) {
        let account = configuration.accounts[name] ?? Configuration.Account()
        var access = AccountAccess(settings: account.settings, baseURL: account.baseURL)
        if store.isSystem { access.keysCommand = SecretHint.systemKeysCommand }
        var problems: [CatalogueError] = []
        for slot in slots.sorted() where account.secrets[slot] == nil {
            guard let location = store.location(of: slot, account: name) else { continue }
            do throws(SecretProblem) {
                access.secrets[slot] = try secret(at: location)
            } catch {
                let file = if case .file(let path) = location { path } else { "credentials" }
                let key = "accounts.\(name).\(slot)"
                problems.append(CatalogueError(file: file, line: 0, column: 0, key: key, message: error.message))
            }
        }
        for (slot, location) in account.secrets.sorted(by: { $0.key < $1.key }) {
            do throws(SecretProblem) {
                access.secrets[slot] = try secret(at: location)
            } catch {
                problems.append(configuration.problem("accounts.\(name).\(slot)", error.message))
            }
        }
        return (access, problems)
    }

    private struct SecretProblem: Error {
        let message: String
    }

    private func secret(at location: SecretLocation) throws(SecretProblem) -> Secret {
        let text: String
        switch location {
        case .value(let value): text = value
        case .environment(let variable):
            guard let value = environment[variable] else {
                throw SecretProblem(message: "the variable \(variable) is not set")
            }
            text = value
        case .file(let path): text = try content(of: path, mayBeGroups: false)
        case .credential(let credential):
            guard let directory = environment["CREDENTIALS_DIRECTORY"] else {
                throw SecretProblem(message: "there are no credentials: the daemon was not started with any by systemd")
            }
            // systemd may let the service read it by an access list, which shows as a right of the group.
            text = try content(of: "\(directory)/\(credential)", mayBeGroups: true)
        }
        let trimmed = text.trimmedOfBlanks
        guard !trimmed.isEmpty else { throw SecretProblem(message: "it is empty") }
        guard trimmed.utf8.count >= Secret.bytesMin else {
            throw SecretProblem(message: "it is shorter than \(Secret.bytesMin) bytes, and no key")
        }
        guard trimmed.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw SecretProblem(message: "it holds characters that no key has")
        }
        return Secret(trimmed)
    }

    private func content(of path: String, mayBeGroups: Bool) throws(SecretProblem) -> String {
        do throws(FileProblem) {
            let file = try SmallFile.read(path, bytesMax: Self.bytesMax)
            guard mayBeGroups ? !file.isReadableByAll : !file.isReadableByOthers else {
                throw FileProblem("\(path) can be read by others: chmod 600 \(path)")
            }
            guard let text = String(validating: file.bytes, as: UTF8.self) else {
                throw FileProblem("\(path) is not UTF-8")
            }
            return text
        } catch {
            throw SecretProblem(message: error.message)
        }
    }
}

extension String {
    /// The text without blanks and line ends around it.
    fileprivate var trimmedOfBlanks: String {
        let blanks: Set<Character> = [" ", "\t", "\n", "\r", "\r\n"]
        let tail = drop { blanks.contains($0) }
        return String(tail.reversed().drop { blanks.contains($0) }.reversed())
    }
}
