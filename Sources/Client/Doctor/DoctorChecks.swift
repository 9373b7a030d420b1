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

    let facts: DoctorFacts

    var findings: [Finding] {
        socket + versions + configuration + keys + facts.directories.flatMap(directory) + clock + sources + units
    }

    // MARK: Socket and daemon

    private var socket: [Finding] {
        switch facts.connection {
        case .failure(let error):
            let status = ExitStatus(of: error)
            let remedy = error.hint ?? "“searchctl ping” tells more"
            return [.failure("socket", error.message, remedy, status == .defect ? .noDaemon : status)]
        case .success(let path):
            guard let socket = facts.socket else { return [.pass("socket", "searchd answers on \(path)")] }
            let whose = owner(socket.userID)
            let text = "searchd answers on \(path), which is \(whose), mode \(socket.modeText)"
            if socket.userID != facts.userID, socket.userID != 0 {
                return [.warning("socket", text, "Use it only if you trust that user; --socket names another")]
                    + [socketDirectory].compactMap(\.self)
            }
            return [.pass("socket", text)] + [socketDirectory].compactMap(\.self)
        }
    }

    private var socketDirectory: Finding? {
        guard let directory = facts.openDirectory else { return nil }
        return .failure(
            "socket",
            "others may write to \(directory.path) and put a socket of theirs there",
            // Of a directory that is for everybody that is how it has to be.
            directory.othersMayReplace
                ? "Say “chmod go-w \(directory.path)”" : "Put the socket elsewhere, with --socket or $SEARCHD_SOCKET",
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
                    "Install searchd and searchctl of one version, and restart searchd",
                    .noDaemon
                )
            ]
        }
        guard version == Version.program else {
            return [
                .warning(
                    "version",
                    "searchd is \(version), searchctl \(Version.program)",
                    "Restart searchd, or install the other of the two anew"
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
            return [.pass(check, "is another user's; as that user, or as root, doctor looks at it")]
        case .noProgram:
            return [.warning(check, "no searchd beside searchctl or in PATH to check it", "Install searchd")]
        case .ran(nil):
            return [.failure(check, "“searchd --check” did not end", "Run it by hand", .notConfigured)]
        case .ran(let run?):
            let lines = run.output.split(separator: "\n").map(String.init)
            if run.status == 0 { return [.pass(check, lines.first ?? "is right")] }
            let problems = lines.filter { !$0.hasPrefix("source ") && !$0.hasPrefix("configuration: ") }
            guard let first = problems.first else {
                return [.failure(check, "“searchd --check” fails", "Run it by hand", .notConfigured)]
            }
            let more = problems.count > 1 ? "; \(FigureText.count(problems.count - 1, "further line"))" : ""
            return [.failure(check, first + more, "“searchd --check” tells all; mend it and reload", .notConfigured)]
        }
    }

    private var keys: [Finding] {
        guard let snapshot = facts.snapshot else { return [] }
        let accounts = KeyAccount.all(in: snapshot.sources)
        return accounts.map { account in
            if account.ways.contains(where: \.isComplete) { return .pass("keys", "\(account.name) has its key") }
            let names = account.sources.map(\.name)
            let verb = names.count == 1 ? "is" : "are"
            return .warning(
                "keys",
                "\(account.name) has no key: \(names.joined(separator: ", ")) \(verb) off",
                "Say “\(keysSet) \(account.name)” if you want \(names.count == 1 ? "it" : "them")"
            )
        }
    }

    /// Whose daemon it is; nil when none answers.
    private var daemonUserID: UInt32? { facts.snapshot?.hello[.uid]?.int.flatMap { UInt32(exactly: $0) } }

    /// The command that stores a key for this daemon.
    private var keysSet: String {
        let isSystem = daemonUserID.map { $0 != facts.userID } ?? false
        return isSystem ? "sudo searchctl keys set --system" : "searchctl keys set"
    }

    // MARK: Machine

    private func directory(_ directory: DoctorFacts.Directory) -> [Finding] {
        let path = directory.path
        let check = directory.purpose
        let room = directory.isWritten ? self.room(directory) : []
        guard let facts = directory.facts else { return [.pass(check, "\(path) is not there yet")] + room }
        guard facts.isDirectory else {
            return [.failure(check, "\(path) is not a directory", "Move it away", .notConfigured)]
        }
        if ![self.facts.userID, 0, daemonUserID].contains(facts.userID) {
            let text = "\(path) is \(owner(facts.userID))"
            return [.warning(check, text, "Say “chown” to whoever runs searchd, unless that is this user")] + room
        }
        if directory.isSecret, facts.mode & 0o077 != 0 {
            let text = "\(path) has mode \(facts.modeText), so that others can look into it"
            return [.failure(check, text, "Say “chmod 700 \(path)”", .notAllowed)] + room
        }
        if facts.othersMayReplace {
            let text = "\(path) has mode \(facts.modeText), so that others can change what is in it"
            return [.failure(check, text, "Say “chmod go-w \(path)”", .notAllowed)] + room
        }
        return [.pass(check, "\(path) is \(owner(facts.userID)), mode \(facts.modeText)")] + room
    }

    private func room(_ directory: DoctorFacts.Directory) -> [Finding] {
        guard let free = directory.freeBytes else { return [] }
        let text = "\(FigureText.bytes(free)) are left for \(directory.path)"
        if free < Self.freeBytesNeeded { return [.failure("disk", text, "Make room there", .tryLater)] }
        if free < Self.freeBytesWanted { return [.warning("disk", text, "Make room there")] }
        return [.pass("disk", text)]
    }

    private var clock: [Finding] {
        let text = PublishedDate(epochSeconds: facts.now, offsetMinutes: 0, precision: .second).text
        guard Self.plausibleTime.contains(facts.now) else {
            return [
                .failure(
                    "clock",
                    "it is not \(text), as the clock says",
                    "Set it, such as by “timedatectl set-ntp true”: certificates and quotas go by it",
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
                    "it is \(text), but searchd would have been up for \(FigureText.time(milliseconds: uptime * 1000))",
                    "The clock was set since; restart searchd, so that quotas go by the right days"
                )
            ]
        }
        return [.pass("clock", text)]
    }

    // MARK: Sources and units

    private var sources: [Finding] {
        facts.asked.map { source in
            guard let trouble = facts.troubles[source] else { return .pass(source, "answers") }
            let remedy = remedy(trouble, of: source)
            // It asks for patience, or does not take this very query: neither is a fault.
            if [.init(.rateLimited), .init(.overloaded), .init(.invalidParams)].contains(trouble.code) {
                return .warning(source, trouble.message, remedy)
            }
            let status = ExitStatus(of: trouble)
            let isKnown = [.notAllowed, .notConfigured].contains(status)
            return .failure(source, trouble.message, remedy, isKnown ? status : .tryLater)
        }
    }

    private func remedy(_ trouble: ClientError, of source: String) -> String {
        let account = source.prefix { $0 != "." }
        return switch trouble.code {
        case .init(.unauthorized): "Set its key again with “\(keysSet) \(account)”"
        case .init(.notConfigured): "Give it a key with “\(keysSet) \(account)”"
        default: trouble.hint ?? "Try again later; if it lasts, check the network and the source itself"
        }
    }

    private var units: [Finding] {
        facts.units.map { unit in
            let scope = unit.isUsers ? " --user" : ""
            let text = "\(unit.isUsers ? "your " : "")\(unit.name) is \(unit.state)"
            switch unit.state {
            case "failed":
                return .failure("units", text, "Say “systemctl\(scope) status \(unit.name)”", .noDaemon)
            case "inactive" where unit.name.hasSuffix(".socket"):
                return .warning("units", text, "Say “systemctl\(scope) enable --now \(unit.name)”")
            default: return .pass("units", text)
            }
        }
    }
}
