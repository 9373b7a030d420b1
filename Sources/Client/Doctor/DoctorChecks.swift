import JSON
import RPC
import SearchModel

/// What is to be concluded from the facts: a finding or more for each thing looked at; pure.
struct DoctorChecks {
    /// 2024-01-01 and 2100-01-01 in seconds since 1970; outside of these a clock is wrong.
    static let plausibleTime: Range<Int64> = 1_704_067_200..<4_102_444_800
    /// With less, the cache and the ledger soon can't be written.
    static let freeBytesWanted = 100 << 20
    static let freeBytesNeeded = 10 << 20

    /// Where the system's daemon listens.
    static let systemDirectory = "/run/searchd/"

    let facts: DoctorFacts
    let clock: LocalClock

    var findings: [Finding] {
        let sources = SourceChecks(facts: facts)
        return socket + otherDaemon + versions + configuration + sources.keys + directories + ledger + cache + library
            + machineClock + pictures + sources.answers + units
    }

    /// Nothing is wrong without them, but it can be asked why there are none.
    private var pictures: [Finding] {
        facts.hasPictureProgram ? [] : [.pass("pictures", "none in “live”. \(PictureTerminal.advice)")]
    }

    // MARK: Socket and daemon

    private var socket: [Finding] {
        switch facts.connection {
        case .failure(let error):
            let status = ExitStatus(of: error)
            // What has failed would only fail again.
            let hasFailed = facts.units.contains { $0.state == "failed" }
            let remedy =
                hasFailed ? "Its service has failed: see below." : error.hint ?? "“searchctl ping” reports more."
            return [.failure("socket", error.message, remedy, status == .defect ? .noDaemon : status)]
        case .success(let path):
            guard let socket = facts.socket else { return [.pass("socket", "searchd answers on \(path)")] }
            let whose = path.hasPrefix(Self.systemDirectory) ? "the system's" : owner(socket.userID)
            let text = "searchd answers on \(path) (\(whose), mode \(socket.modeText))"
            if socket.userID != facts.userID, socket.userID != 0 {
                return [.warning("socket", text, "Use it only if you trust that user; --socket names another one.")]
                    + [socketDirectory].compactMap(\.self)
            }
            return [.pass("socket", text)] + [socketDirectory].compactMap(\.self)
        }
    }

    private var otherDaemon: [Finding] {
        guard let other = facts.systemSocket else { return [] }
        let text = "your own searchd answers, although the system's listens on \(other.path)"
        return [.warning("socket", text, "Run “searchctl stop” to use the system's.")]
    }

    private var socketDirectory: Finding? {
        guard let directory = facts.openDirectory else { return nil }
        return .failure(
            "socket",
            "others may write to \(directory.path) and could put a socket of their own there",
            // A directory for everybody has to be so.
            directory.othersMayReplace
                ? "Run “chmod go-w \(directory.path)”." : "Put the socket elsewhere with --socket or $SEARCHD_SOCKET.",
            .notAllowed
        )
    }

    private func owner(_ userID: UInt32) -> String {
        if userID == facts.userID { return "yours" }
        return userID == 0 ? "root's" : "user \(userID)'s"
    }

    private var versions: [Finding] {
        guard let hello = facts.snapshot?.hello else { return [] }
        let version = hello[.version]?.string ?? "of unknown version"
        let wire = hello[.protocol]?.int
        guard wire == Version.wire else {
            return [
                .failure(
                    "version",
                    "searchd speaks protocol \(wire.map(String.init) ?? "?"), searchctl \(Version.wire)",
                    "Install searchd and searchctl of the same version, and restart searchd.",
                    .noDaemon
                )
            ]
        }
        guard version == Version.program else {
            return [
                .warning(
                    "version",
                    "searchd is \(version), searchctl \(Version.program)",
                    "Run “searchctl restart”, or install both again."
                )
            ]
        }
        return [.pass("version", "searchd and searchctl are both \(version), protocol \(Version.wire)")]
    }

    // MARK: Configuration and keys

    private var configuration: [Finding] {
        let check = "configuration"
        switch facts.configuration {
        case .notOurs:
            let text = "only root can check the configuration and the keys of the system's searchd"
            return [.skipped(check, text, "“sudo searchctl doctor” checks them.")]
        case .noProgram:
            return [.warning(check, "not checked: \(facts.configuration.problem ?? "")", "Install searchd.")]
        case .ran(let run):
            if let problem = facts.configuration.problem {
                let remedy = "“\(facts.checkCommand)” lists everything; fix it and reload."
                return [.failure(check, problem, remedy, .notConfigured)]
            }
            let said = run?.output.split(separator: "\n").first.map(String.init) ?? "has no errors"
            // The daemon itself does not tell which file it was given.
            let none = "no configuration in the usual places, so the defaults apply unless searchd was given --config"
            return [.pass(check, said.replacing("no configuration, so the defaults apply", with: none))]
        }
    }

    /// Whose daemon it is; nil when none answers.
    private var daemonUserID: UInt32? { facts.daemonUserID }

    // MARK: Machine

    /// What is wrong with each, and one line for all that are in order.
    private var directories: [Finding] {
        let problems = facts.directories.flatMap { directory($0) + openFiles($0) }
        let wrong = Set(problems.map(\.check))
        let sound = facts.directories.map(\.purpose).filter { !wrong.contains($0) }
        guard !sound.isEmpty else { return problems + room }
        let names = sound.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return problems + [.pass("directories", names.joined(separator: ", "))] + room
    }

    private func directory(_ directory: DoctorFacts.Directory) -> [Finding] {
        let path = directory.path
        let check = directory.purpose
        guard let facts = directory.facts else { return [] }
        guard facts.isDirectory else {
            return [.failure(check, "\(path) is not a directory", "Move it away.", .notConfigured)]
        }
        if ![self.facts.userID, 0, daemonUserID].contains(facts.userID) {
            let text = "\(path) is \(owner(facts.userID))"
            return [.warning(check, text, "Give it with “chown” to the user that runs searchd.")]
        }
        if directory.isSecret, facts.mode & 0o077 != 0 {
            let text = "\(path) has mode \(facts.modeText), so others can look into it"
            return [.failure(check, text, "Run “\(Self.chmod("700", [facts]))”.", .notAllowed)]
        }
        if facts.othersMayReplace {
            let text = "\(path) has mode \(facts.modeText), so others can change what is in it"
            return [.failure(check, text, "Run “\(Self.chmod("go-w", [facts]))”.", .notAllowed)]
        }
        return []
    }

    /// Files that others can read as soon as the directory lets them in.
    private func openFiles(_ directory: DoctorFacts.Directory) -> [Finding] {
        guard let first = directory.openFiles.first else { return [] }
        let count = directory.openFiles.count
        let text =
            count == 1
            ? "\(first.path) has mode \(first.modeText), so others may read it"
            : "others may read \(FigureText.grouped(count)) files in \(directory.path)"
        let remedy = "Run “\(Self.chmod("600", directory.openFiles))”."
        return [.failure(directory.purpose, text, remedy, .notAllowed)]
    }

    /// The command that changes modes, as it must be typed by a user.
    private static func chmod(_ mode: String, _ paths: [PathFacts]) -> String {
        let sudo = paths.contains { $0.userID == 0 } ? "sudo " : ""
        return "\(sudo)chmod \(mode) \(paths.map(\.path).joined(separator: " "))"
    }

    /// The disks: what is short, else the least that is left anywhere.
    private var room: [Finding] {
        let measured = facts.directories.compactMap { directory in
            directory.freeBytes.map { (path: directory.path, bytes: $0) }
        }
        let short = measured.filter { $0.bytes < Self.freeBytesWanted }
        guard short.isEmpty else {
            return short.map { path, bytes in
                let text = "\(FigureText.bytes(bytes)) free for \(path)"
                return bytes < Self.freeBytesNeeded
                    ? .failure("disk", text, "Make room there.", .tryLater) : .warning("disk", text, "Make room there.")
            }
        }
        return measured.map(\.bytes).min().map { [.pass("disk", "\(FigureText.bytes($0)) free")] } ?? []
    }

    private var cache: [Finding] {
        guard let problem = facts.snapshot?.stats[.cacheProblem] else { return [] }
        let message = VisibleText.visible(problem[.message]?.string ?? "memory.cacheBytes is too large")
        return [.warning("memory", message, VisibleText.visible(problem[.hint]?.string ?? "Lower memory.cacheBytes."))]
    }

    private var ledger: [Finding] {
        guard let snapshot = facts.snapshot else { return [] }
        return LedgerTrouble.all(in: snapshot.stats, snapshot.sources).map { trouble in
            .failure("quotas", trouble.text, trouble.remedy, .tryLater)
        }
    }

    private var library: [Finding] {
        guard let stats = facts.snapshot?.stats else { return [] }
        let troubles = LibraryTrouble.all(in: stats, clock: clock)
        if troubles.isEmpty, let count = facts.savedCount {
            return [.pass("library", "\(FigureText.count(count, "item")) saved")]
        }
        return troubles.map { trouble in
            trouble.isFailure
                ? .failure("library", trouble.text, trouble.remedy, .tryLater)
                : .warning("library", trouble.text, trouble.remedy)
        }
    }

    private var machineClock: [Finding] {
        let text = clock.fullTime(facts.now)
        guard Self.plausibleTime.contains(facts.now) else {
            return [
                .failure(
                    "clock",
                    "the clock is wrong: \(text)",
                    "Set it, for example with “timedatectl set-ntp true”; certificates and quotas depend on it.",
                    .notConfigured
                )
            ]
        }
        let uptime = facts.snapshot?.stats[.uptime]?.double ?? 0
        let started = facts.now - Int64(max(0, min(uptime, 1e12)))
        guard Self.plausibleTime.contains(started) else {
            return [
                .warning(
                    "clock",
                    "the clock was set after searchd started, \(FigureText.time(milliseconds: uptime * 1000)) ago",
                    "Run “searchctl restart”, so that quotas follow the right days."
                )
            ]
        }
        return [.pass("clock", text)]
    }

    // MARK: Units

    private var units: [Finding] {
        facts.units.map { unit in
            let scope = unit.isUsers ? " --user" : ""
            let text = "\(unit.isUsers ? "your " : "")\(unit.name) is \(unit.state)"
            switch unit.state {
            case "failed":
                return .failure("units", text, "Run “systemctl\(scope) status \(unit.name)”.", .noDaemon)
            case "inactive" where unit.name.hasSuffix(".socket"):
                return .warning("units", text, "Run “systemctl\(scope) enable --now \(unit.name)”.")
            default: return .pass("units", text)
            }
        }
    }
}
