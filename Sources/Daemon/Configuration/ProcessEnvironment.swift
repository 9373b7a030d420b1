import EventLoop
import Glibc
import JSON

/// What the process was given from outside: user, environment.
///
/// Read once, at the start.
struct ProcessEnvironment: Sendable {
    let userID: UInt32
    let processID: Int32
    let environment: [String: String]

    static func current() -> ProcessEnvironment {
        var environment: [String: String] = [:]
        // environ is a NULL-terminated array of C strings that does not change while the program starts.
        var entry = unsafe environ
        while let text = unsafe entry.pointee {
            let variable = unsafe String(cString: text)
            let parts = variable.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { environment[String(parts[0])] = String(parts[1]) }
            unsafe entry += 1
        }
        return ProcessEnvironment(userID: geteuid(), processID: getpid(), environment: environment)
    }

    /// Nil when it is gone, or may not be read.
    static func workingDirectory() -> String? {
        // With no buffer given, the text is ours: it is copied and then freed.
        guard let directory = unsafe getcwd(nil, 0) else { return nil }
        defer { unsafe free(directory) }
        return unsafe String(cString: directory)
    }

    func variable(_ name: String) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The language of the locale, as `ko`; English where there is none.
    var language: String {
        let locale = variable("LC_ALL") ?? variable("LC_MESSAGES") ?? variable("LANG") ?? ""
        let language = locale.prefix { $0 != "_" && $0 != "." && $0 != "@" }
        // C and POSIX are none.
        guard (2...3).contains(language.utf8.count), language.utf8.allSatisfy(\.isSmallLetter) else { return "en" }
        return String(language)
    }

    /// Where the configuration is looked for, in order, when no option names it.
    var configurationPaths: [String] {
        var paths: [String] = []
        if let home = variable("XDG_CONFIG_HOME") ?? variable("HOME").map({ "\($0)/.config" }) {
            paths.append("\(home)/searchd/config.json5")
        }
        return paths + [Self.systemConfiguration]
    }

    static let systemConfiguration = "/etc/searchd/config.json5"

    /// Whether the keys of the system's service can be among those that are read.
    var seesSystemKeys: Bool { userID == 0 || variable("CREDENTIALS_DIRECTORY") != nil }

    /// Where the secrets of this user lie that no configuration names; root's are the system's too.
    var secretStore: SecretStore {
        let directories = configurationPaths.map { SocketPath.directory(of: $0) + "/keys" }
        let own = userID == 0 ? directories : directories.filter { !$0.hasPrefix("/etc/") }
        return SecretStore(environment: environment, directories: own)
    }

    /// The directory of one purpose: systemd's, else XDG's, else the user's own.
    func directory(systemd: String, xdg: String, home: String) -> String? {
        if let given = variable(systemd) { return given.split(separator: ":").first.map(String.init) }
        if let base = variable(xdg) { return "\(base)/searchd" }
        return variable("HOME").map { "\($0)/\(home)/searchd" }
    }

    var stateDirectory: String? {
        directory(systemd: "STATE_DIRECTORY", xdg: "XDG_STATE_HOME", home: ".local/state")
    }

    var cacheDirectory: String? {
        directory(systemd: "CACHE_DIRECTORY", xdg: "XDG_CACHE_HOME", home: ".cache")
    }

    /// Where the socket is when nothing names it.
    var socketLocation: SocketLocation {
        func directory(_ name: String) -> String? { variable(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
        return SocketLocation(
            userID: userID,
            runtime: directory("XDG_RUNTIME_DIR"),
            stateHome: directory("XDG_STATE_HOME") ?? directory("HOME").map { "\($0)/.local/state" }
        )
    }
}

/// The groups of users that the system knows.
enum UserGroup {
    /// The number of a group; nil when there is none of that name.
    ///
    /// May ask a name service, and is not to be called from two threads at once.
    static func number(of name: String) -> UInt32? {
        // The entry is the library's, and read before anybody asks again.
        unsafe getgrnam(name).map { unsafe $0.pointee.gr_gid }
    }
}
