import SearchModel

/// The system's service manager, where there is one; without it nothing here fails but `perform`.
struct ServiceManager {
    static let unit = "searchd.service"
    static let socketUnit = "searchd.socket"

    /// Nil where systemd does not run the machine, or can't be talked to.
    private let program: String?

    init(_ context: Context) {
        program =
            PathFacts(of: context.systemdDirectory) == nil
            ? nil : ProgramSearch.path(of: "systemctl", context.environment)
    }

    /// Whether systemd runs this machine and can be talked to.
    var isThere: Bool { program != nil }

    /// Restarts the service so that it gets its credentials anew; false when there is no such service running.
    func restart() -> Bool {
        guard let program else { return false }
        guard ProgramRun.run([program, "--quiet", "is-active", Self.unit])?.status == 0 else { return false }
        forgetStarts(isUsers: false)
        return ProgramRun.run([program, "restart", Self.unit])?.status == 0
    }

    /// Makes systemd forget how often the service was started lately: its limit is for a service that fails by itself.
    private func forgetStarts(isUsers: Bool) {
        guard let program else { return }
        let scope = isUsers ? ["--user"] : []
        // It fails when a unit is not loaded, which then has no starts.
        _ = ProgramRun.run([program] + scope + ["reset-failed", Self.socketUnit, Self.unit])
    }

    /// Has systemd do what a command line of `systemctl` says.
    ///
    /// - Throws: `noDaemon`, with what systemctl says, when that fails.
    func perform(_ words: [String], isUsers: Bool) throws(ClientError) {
        forgetStarts(isUsers: isUsers)
        let run = program.flatMap { ProgramRun.run([$0] + words.dropFirst()) }
        guard run?.status == 0 else {
            let reason = run?.output.split(whereSeparator: \.isNewline).first.map { ": \($0)" } ?? ""
            throw ClientError(
                .noDaemon,
                "“\(words.joined(separator: " "))” failed\(reason)",
                hint: "“systemctl\(isUsers ? " --user" : "") status \(Self.unit)” shows why."
            )
        }
    }

    /// Whether the system's socket is installed, running or not; told by files, for users without a way to talk to
    /// systemd.
    var hasService: Bool {
        guard let program else { return false }
        let run = ProgramRun.run([program, "--root=/", "--no-legend", "list-unit-files", Self.socketUnit])
        return run.map { $0.status == 0 && $0.output.hasPrefix(Self.socketUnit) } ?? false
    }

    /// What `systemctl` says of a unit, as `active` or `inactive`; nil without it, or when the unit is not installed.
    func state(of unit: String, isUsers: Bool) -> String? {
        guard let program else { return nil }
        let words = [program] + (isUsers ? ["--user"] : []) + ["show", "--property=LoadState,ActiveState", unit]
        guard let run = ProgramRun.run(words), run.status == 0 else { return nil }
        var values: [Substring: Substring] = [:]
        for line in run.output.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { values[parts[0]] = parts[1] }
        }
        guard values["LoadState"] == "loaded" else { return nil }
        return values["ActiveState"].map(String.init)
    }
}
