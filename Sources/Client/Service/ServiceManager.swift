import Glibc
import SearchModel

/// Controls searchd with systemd, if systemd is the init system.
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

    func restart() -> Bool {
        guard run(["--quiet", "is-active", Self.unit])?.status == 0 else { return false }
        return (try? perform("restart", isUsers: false)) != nil
    }

    func perform(_ verb: String, isUsers: Bool) throws(ClientError) {
        // If a service failed too often, systemd starts it only after reset-failed.
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
        // The first client that connects to the socket starts the service.
        case "start": [verb, socketUnit]
        // Also stop the socket. Otherwise, its next client would start the service again.
        case "stop": [verb, socketUnit, unit]
        default: [verb, unit]
        }
    }

    static func requireRight(to verb: String, isUsers: Bool) throws(ClientError) {
        guard isUsers || geteuid() == 0 else {
            let hint = "Run “sudo searchctl \(verb)”."
            throw ClientError(.init(.forbidden), "only root can \(verb) the system's searchd", hint: hint)
        }
    }

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
