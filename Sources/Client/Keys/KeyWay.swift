import JSON
import RPC
import SearchModel

/// One way to ask an account's sources that needs secrets, as `source/list` tells it; pure, and safe on a terminal.
struct KeyWay: Equatable {
    struct Secret: Equatable {
        let name: String
        /// What it is and where to get it.
        let about: String
        /// Whether the daemon has it.
        let isPresent: Bool
    }

    /// Empty when the account has only this one.
    let name: String
    let secrets: [Secret]

    var isComplete: Bool { secrets.allSatisfy(\.isPresent) }

    /// `hub, with the client id of an application at …`: what its first secret is, or else what they are called.
    var description: String {
        let about = secrets.first?.about ?? ""
        return "\(name), with \(about.isEmpty ? secrets.map(\.name).joined(separator: " and ") : about)"
    }
}

/// An account that has keys, with the sources it opens; pure, and safe on a terminal.
struct KeyAccount: Equatable {
    let name: String
    /// The preferred one first.
    let ways: [KeyWay]
    var sources: [SourceState]

    struct SourceState: Equatable {
        let name: String
        let isEnabled: Bool
    }

    /// The accounts of `source/list` whose sources know of any key, by name.
    static func all(in sources: [JSONCursor]) -> [KeyAccount] {
        var accounts: [KeyAccount] = []
        for source in sources {
            guard let keys = source[.keys]?.elements, !keys.isEmpty else { continue }
            let entry = SourceEntry(source)
            let state = SourceState(name: entry.name, isEnabled: entry.isEnabled)
            if let known = accounts.firstIndex(where: { $0.name == entry.account }) {
                accounts[known].sources.append(state)
            } else {
                accounts.append(KeyAccount(name: entry.account, ways: keys.map(way), sources: [state]))
            }
        }
        return accounts.sorted { $0.name < $1.name }
    }

    /// The way that a word of the command line means; without one, the only way there is.
    ///
    /// - Parameters:
    ///   - word: Is in no error: it may be a key.
    ///   - verb: `set` or `remove`.
    ///   - line: How a hint writes the command.
    /// - Returns: The way.
    /// - Throws: `usage`, with what would be right.
    func way(_ word: String?, to verb: String, in line: KeyCommandLine) throws(ClientError) -> KeyWay {
        if let word {
            if let way = ways.first(where: { $0.name == word }) { return way }
            let what = ways.count > 1 ? "\(name) has no such way" : "\(name) can be used in one way only"
            let reason = verb == "set" ? "; \(Self.keysElsewhere)" : ""
            throw ClientError(.usage, what + reason, hint: hint(to: verb, in: line))
        }
        guard ways.count == 1, let way = ways.first else {
            let described = ways.map(\.description).joined(separator: ", or ")
            throw ClientError(
                .usage,
                "\(name) can be used in \(ways.count) ways: \(described)",
                hint: hint(to: verb, in: line)
            )
        }
        return way
    }

    /// The names of all secrets, each once.
    var secretNames: [String] {
        ways.flatMap { $0.secrets.map(\.name) }.reduce(into: []) { names, name in
            if !names.contains(name) { names.append(name) }
        }
    }

    var enabledNames: [String] { sources.filter(\.isEnabled).map(\.name) }

    /// Why a key is no word of the command line.
    static let keysElsewhere =
        "keys are not taken from the command line, where others can read them, but asked for or "
        + "read from standard input"

    /// The command that stores its key, for the way in use; one for each way when none is.
    func setCommands(in line: KeyCommandLine) -> String {
        let used = ways.first(where: \.isComplete) ?? ways.first { $0.secrets.contains(where: \.isPresent) }
        return Self.commands(used.map { [$0] } ?? ways, of: name, to: "set", in: line)
    }

    private func hint(to verb: String, in line: KeyCommandLine) -> String {
        "Run \(Self.commands(ways, of: name, to: verb, in: line))."
    }

    private static func commands(
        _ ways: [KeyWay],
        of account: String,
        to verb: String,
        in line: KeyCommandLine
    ) -> String {
        ways.map { "“\(line.text(verb, account, $0.name))”" }.joined(separator: " or ")
    }

    private static func way(_ way: JSONCursor) -> KeyWay {
        KeyWay(
            name: VisibleText.visible(way[.way]?.string ?? ""),
            secrets: (way[.secrets]?.elements ?? []).map { secret in
                KeyWay.Secret(
                    name: VisibleText.visible(secret[.name]?.string ?? "?"),
                    about: VisibleText.visible(secret[.about]?.string ?? ""),
                    isPresent: secret[.present]?.bool ?? false
                )
            }
        )
    }
}
