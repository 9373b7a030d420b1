import Glibc
import SearchModel

/// Controls searchd with systemd, if that is the init system.
struct ServiceManager {
    static let unit = "searchd.service"
    static let socketUnit = "searchd.socket"

    private let program: String?

    init(_ context: Context) {
        let isThere = PathFacts(of: context.systemdDirectory) != nil
        program = isThere ? ProgramSearch.path(of: "systemctl", context.environment) : nil
    }

    var isThere: Bool { program != nil }

    private func run(_ words: [String], isUsers: Bool = false) -> ProgramRun? {
        program.flatMap { ProgramRun.run([$0] + (isUsers ? ["--user"] : []) + words) }
    }

    /// Restarts the system's service if it runs, to load its keys again; returns whether it was restarted.
    func restart() -> Bool {
        guard run(["--quiet", "is-active", Self.unit])?.status == 0 else { return false }
        return (try? perform("restart", isUsers: false)) != nil
    }

    /// Starts, stops or restarts the units of searchd; throws `noDaemon` if systemctl fails.
    func perform(_ verb: String, isUsers: Bool) throws(ClientError) {
        // systemd limits the number of starts of a failing service. Reset the count, because the user wants this start.
        _ = run(["reset-failed", Self.socketUnit, Self.unit], isUsers: isUsers)
        let words = Self.words(verb)
        let result = run(words, isUsers: isUsers)
        guard result?.status == 0 else {
            let scope = isUsers ? " --user" : ""
            let reason = result?.output.split(whereSeparator: \.isNewline).first.map { ": \($0)" } ?? ""
            throw ClientError(
                .noDaemon,
                "“systemctl\(scope) \(words.joined(separator: " "))” failed\(reason)",
                hint: "“systemctl\(scope) status \(Self.unit)” shows why."
            )
        }
    }

    static func words(_ verb: String) -> [String] {
        switch verb {
        // Start only the socket. The first client that connects starts the service.
        case "start": [verb, socketUnit]
        // Stop the socket too, because it would start the service again.
        case "stop": [verb, socketUnit, unit]
        default: [verb, unit]
        }
    }

    /// Throws `forbidden` if only root may control the service.
    static func requireRight(to verb: String, isUsers: Bool) throws(ClientError) {
        guard isUsers || geteuid() == 0 else {
            let hint = "Run “sudo searchctl \(verb)”."
            throw ClientError(.init(.forbidden), "only root can \(verb) the system's searchd", hint: hint)
        }
    }

    /// Whether the system's socket unit is installed, also for users who may not connect to systemd.
    var hasService: Bool {
        let result = run(["--root=/", "--no-legend", "list-unit-files", Self.socketUnit])
        return result.map { $0.status == 0 && $0.output.hasPrefix(Self.socketUnit) } ?? false
    }

    func state(of unit: String, isUsers: Bool) -> String? {
        guard let result = run(["show", "--property=LoadState,ActiveState", unit], isUsers: isUsers),
            result.status == 0
        else { return nil }
        let lines = result.output.split(separator: "\n")
        guard lines.contains("LoadState=loaded") else { return nil }
        return lines.first { $0.hasPrefix("ActiveState=") }.map { String($0.dropFirst("ActiveState=".count)) }
    }
}
