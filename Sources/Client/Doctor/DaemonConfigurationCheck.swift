import EventLoop
import Glibc
import SearchModel

/// Checks the daemon's configuration by running the daemon's program.
enum DaemonConfigurationCheck: Equatable {
    case noProgram
    case notOurs
    case ran(ProgramRun?)

    private static let serviceUser = "searchd"
    private static let systemFile = "/etc/searchd/config.json5"
    static let commandOfSystem = "sudo -u \(serviceUser) searchd --check --config \(systemFile)"

    static func option(of process: Int?) -> [String]? {
        let words = process.map { DaemonManager.commandLine(of: $0) } ?? []
        let option = words.drop { $0 != "--config" && !$0.hasPrefix("--config=") }.prefix(2)
        guard let first = option.first, let last = option.last else { return [] }
        let path = first == "--config" ? last : String(first.dropFirst("--config=".count))
        let directory = path.hasPrefix("/") ? [] : process.flatMap { SystemCall.target(ofLink: "/proc/\($0)/cwd") }
        return directory.map { ["--config", $0.isEmpty ? path : String(decoding: $0, as: UTF8.self) + "/" + path] }
    }

    static func run(ofSystem isSystem: Bool, process: Int? = nil, _ context: Context) -> DaemonConfigurationCheck {
        guard let program = context.daemonProgram ?? InstalledProgram.find(environment: context.environment),
            // The path is valid during the call.
            unsafe access(program, X_OK) == 0
        else { return .noProgram }
        guard isSystem else {
            let relative = ProgramRun(status: nil, output: "the path of searchd's configuration is relative")
            guard let option = option(of: process) else { return .ran(relative) }
            return .ran(ProgramRun.run([program, "--check"] + option))
        }
        // Pass the credentials of the service, but not root's environment.
        let credentials = "CREDENTIALS_DIRECTORY=/run/credentials/\(ServiceManager.unit)"
        let words = ["env", "-i", credentials, program, "--check", "--config", systemFile]
        return .ran(ProgramRun.run(asServiceUser(context) + words))
    }

    private static func asServiceUser(_ context: Context) -> [String] {
        guard let program = ProgramSearch.path(of: "setpriv", context.environment),
            ProgramRun.run(["id", "-u", serviceUser])?.status == 0
        else { return [] }
        return [program, "--reuid=\(serviceUser)", "--regid=\(serviceUser)", "--init-groups"]
    }

    var problem: String? {
        switch self {
        case .notOurs: return nil
        case .noProgram: return "searchd is neither in the directory of searchctl nor in PATH"
        case .ran(nil): return "“searchd --check” did not end"
        case .ran(let run?):
            guard run.status != 0 else { return nil }
            let lines = run.output.split(separator: "\n")
            guard let first = lines.first else { return "“searchd --check” fails" }
            let more = lines.count > 1 ? " (and \(NumberText.count(lines.count - 1, "further line")))" : ""
            return "\(first)\(more)"
        }
    }
}
