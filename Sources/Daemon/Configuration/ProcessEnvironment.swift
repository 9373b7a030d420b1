import EventLoop
import Glibc
import JSON

/// The user, the ID and the environment variables of the process, read once at start.
struct ProcessEnvironment: Sendable {
    let userID: UInt32
    let processID: Int32
    let environment: [String: String]

    static func current() -> ProcessEnvironment {
        var environment: [String: String] = [:]
        // environ is a NULL-terminated array of C strings, which does not change during the start.
        var entry = unsafe environ
        while let text = unsafe entry.pointee {
            let variable = unsafe String(cString: text)
            let parts = variable.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { environment[String(parts[0])] = String(parts[1]) }
            unsafe entry += 1
        }
        return ProcessEnvironment(userID: geteuid(), processID: getpid(), environment: environment)
    }

    static func workingDirectory() -> String? {
        // getcwd allocates the text, which is freed after the copy.
        guard let directory = unsafe getcwd(nil, 0) else { return nil }
        defer { unsafe free(directory) }
        return unsafe String(cString: directory)
    }

    func variable(_ name: String) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    var language: String {
        let locale = variable("LC_ALL") ?? variable("LC_MESSAGES") ?? variable("LANG") ?? ""
        let language = locale.prefix { $0 != "_" && $0 != "." && $0 != "@" }
        guard (2...3).contains(language.utf8.count), language.utf8.allSatisfy(\.isSmallLetter) else { return "en" }
        return String(language)
    }

    /// The first existing file is used, unless an option or a variable names a file.
    var configurationPaths: [String] {
        var paths: [String] = []
        if let home = variable("XDG_CONFIG_HOME") ?? variable("HOME").map({ "\($0)/.config" }) {
            paths.append("\(home)/searchd/config.json5")
        }
        return paths + [Self.systemConfiguration]
    }

    static let systemConfiguration = "/etc/searchd/config.json5"

    var seesSystemKeys: Bool { userID == 0 || variable("CREDENTIALS_DIRECTORY") != nil }

    var secretStore: SecretStore {
        let directories = configurationPaths.map { SmallFile.directory(of: $0) + "/keys" }
        let own = userID == 0 ? directories : directories.filter { !$0.hasPrefix("/etc/") }
        return SecretStore(environment: environment, directories: own)
    }

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

    var socketLocation: SocketLocation {
        func directory(_ name: String) -> String? { variable(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
        return SocketLocation(
            userID: userID,
            runtime: directory("XDG_RUNTIME_DIR"),
            stateHome: directory("XDG_STATE_HOME") ?? directory("HOME").map { "\($0)/.local/state" }
        )
    }
}

enum UserGroup {
    /// Must not be called on two threads at the same time.
    static func number(of name: String) -> UInt32? {
        // The C library owns the entry, which is read before the next call.
        unsafe getgrnam(name).map { unsafe $0.pointee.gr_gid }
    }
}
