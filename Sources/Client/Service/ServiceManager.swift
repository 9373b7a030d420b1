import Glibc
import SearchModel

/// systemd, if it runs the machine.
struct ServiceManager {
    static let unit = "searchd.service"
    static let socketUnit = "searchd.socket"

    /// Nil where systemd does not run the machine.
    private let program: String?

    init(_ context: Context) {
        let isThere = PathFacts(of: context.systemdDirectory) != nil
        program = isThere ? ProgramSearch.path(of: "systemctl", context.environment) : nil
    }

    var isThere: Bool { program != nil }

    private func run(_ words: [String], isUsers: Bool = false) -> ProgramRun? {
        program.flatMap { ProgramRun.run([$0] + (isUsers ? ["--user"] : []) + words) }
    }

    /// Restarts the system's service if it runs, so that it gets its credentials again.
    func restart() -> Bool {
        guard run(["--quiet", "is-active", Self.unit])?.status == 0 else { return false }
        return (try? perform("restart", isUsers: false)) != nil
    }

    /// Starts, stops or restarts the service.
    ///
    /// - Throws: `forbidden` when only root may; `noDaemon` when systemd fails.
    func perform(_ verb: String, isUsers: Bool) throws(ClientError) {
        // The limit of starts is meant for a service that fails by itself.
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

    /// The arguments of systemctl for a verb.
    static func words(_ verb: String) -> [String] {
        switch verb {
        // The first client starts the service itself.
        case "start": [verb, socketUnit]
        // Its socket would start it again.
        case "stop": [verb, socketUnit, unit]
        default: [verb, unit]
        }
    }

    /// Refuses what only root may do with the system's service.
    static func requireRight(to verb: String, isUsers: Bool) throws(ClientError) {
        guard isUsers || geteuid() == 0 else {
            let hint = "Run “sudo searchctl \(verb)”."
            throw ClientError(.init(.forbidden), "only root can \(verb) the system's searchd", hint: hint)
        }
    }

    /// Whether the system's socket is installed, also for users who cannot talk to systemd.
    var hasService: Bool {
        let result = run(["--root=/", "--no-legend", "list-unit-files", Self.socketUnit])
        return result.map { $0.status == 0 && $0.output.hasPrefix(Self.socketUnit) } ?? false
    }

    /// `active` or `inactive`; nil when the unit is not installed.
    func state(of unit: String, isUsers: Bool) -> String? {
        guard let result = run(["show", "--property=LoadState,ActiveState", unit], isUsers: isUsers),
            result.status == 0
        else { return nil }
        let lines = result.output.split(separator: "\n")
        guard lines.contains("LoadState=loaded") else { return nil }
        return lines.first { $0.hasPrefix("ActiveState=") }.map { String($0.dropFirst("ActiveState=".count)) }
    }

    /// The command line that shows the log of the service.
    static func logWords(isUsers: Bool, lines: Int, isFollowing: Bool) -> [String] {
        ["journalctl"] + (isUsers ? ["--user"] : []) + ["--unit=\(unit)", "--lines=\(lines)"]
            + [isFollowing ? "--follow" : "--pager-end"]
    }
}
