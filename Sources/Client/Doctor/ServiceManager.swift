import Glibc

/// The system's service manager, where there is one; without it nothing here fails.
struct ServiceManager {
    static let unit = "searchd.service"

    private let program: String?

    init(_ context: Context) {
        program = ProgramSearch.path(of: "systemctl", context.environment)
    }

    /// Whether systemd runs this machine and can be talked to.
    var isThere: Bool { program != nil && Self.exists("/run/systemd/system") }

    /// Restarts the service so that it gets its credentials anew; false when there is no such service running.
    func restart() -> Bool {
        guard isThere, let program else { return false }
        guard ProgramRun.run([program, "--quiet", "is-active", Self.unit])?.status == 0 else { return false }
        return ProgramRun.run([program, "restart", Self.unit])?.status == 0
    }

    /// What `systemctl` says of a unit, as `active` or `inactive`; nil without it, or when the unit is not installed.
    func state(of unit: String, isUsers: Bool) -> String? {
        guard isThere, let program else { return nil }
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

    private static func exists(_ path: String) -> Bool {
        // The path lives through the call.
        unsafe access(path, F_OK) == 0
    }
}
