import JSON
import RPC
import SearchModel

/// Turns the facts about the machine and the daemon into the findings of `doctor`.
struct DoctorChecks {
    /// The plausible times of a clock, in seconds since 1970: the years 2024 to 2099.
    static let plausibleTime: Range<Int64> = 1_704_067_200..<4_102_444_800
    static let freeBytesWanted = 100 << 20
    static let freeBytesNeeded = 10 << 20

    let facts: DoctorFacts
    let clock: LocalClock

    var findings: [Finding] {
        socket + versions + configuration + keys + directories + (facts.snapshot?.ledger ?? []) + fleet + cache
            + library + machineClock + sources + units
    }

    private var socket: [Finding] {
        switch facts.connection {
        case .failure(let error):
            let status = ExitStatus(of: error)
            let hasFailed = facts.units.contains { $0.state == "failed" }
            let remedy =
                hasFailed ? "The service has failed: see units below." : error.hint ?? "“searchctl ping” reports more."
            return [.failure("socket", error.message, remedy, status == .defect ? .noDaemon : status)]
        case .success(let path):
            guard let socket = facts.socket else { return [.pass("socket", "searchd answers on \(path)")] }
            let whose = path == SocketPlan.systemPath ? "the system's" : owner(socket.userID)
            let text = "searchd answers on \(path) (\(whose), mode \(socket.modeText))"
            let isTrusted = socket.userID == facts.userID || socket.userID == 0
            let remedy = "Use this searchd only if you trust that user. To use another socket, add --socket."
            return [isTrusted ? .pass("socket", text) : .warning("socket", text, remedy)] + openDirectory
        }
    }

    private var openDirectory: [Finding] {
        guard let directory = facts.openDirectory else { return [] }
        return [
            .failure(
                "socket",
                "other users can write to \(directory.path), so they could replace the socket",
                directory.othersMayReplace
                    ? "Run “chmod go-w \(directory.path)”."
                    : "Use --socket or $SEARCHD_SOCKET to choose a socket in another directory.",
                .notAllowed
            )
        ]
    }

    private func owner(_ userID: UInt32) -> String {
        if userID == facts.userID { return "yours" }
        return userID == 0 ? "root's" : "user \(userID)'s"
    }

    private var versions: [Finding] {
        guard let snapshot = facts.snapshot, let hello = snapshot.hello else { return [] }
        let wire = hello[.protocol]?.int
        guard wire == Version.wire else {
            let text = "searchd speaks protocol \(wire.map(String.init) ?? "?"), searchctl \(Version.wire)"
            let remedy = "Install searchd and searchctl of the same version, and restart searchd."
            return [.failure("version", text, remedy, .noDaemon)]
        }
        guard snapshot.version == Version.program else {
            let text = "searchd is \(snapshot.version), searchctl \(Version.program)"
            return [.warning("version", text, "Run “searchctl restart”, or install both again.")]
        }
        return [.pass("version", "searchd and searchctl are both \(snapshot.version), protocol \(Version.wire)")]
    }

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
                let reload = facts.snapshot == nil ? "." : " and run “searchctl reload”."
                let remedy = "“\(facts.checkCommand)” lists all errors. Correct them" + reload
                return [.failure(check, problem, remedy, .notConfigured)]
            }
            let file = run?.output.split(separator: "\n").first?.split(separator: ";").last
            let text = file.map { LibraryEntry.line(String($0)) } ?? "has no errors"
            let path = text.split(separator: " ").last.map(String.init) ?? ""
            let reloadedAt = facts.snapshot?.stats?[.reloadedAt]?.string.flatMap(RFC3339.epochSeconds)
            if let reloadedAt, let changedAt = PathFacts(of: path)?.modifiedAt, changedAt > reloadedAt {
                let remedy = "Run “searchctl reload”."
                return [.warning(check, "\(path) has changed since searchd read it", remedy)]
            }
            return [.pass(check, text)]
        }
    }

    private var keys: [Finding] {
        let accounts = facts.snapshot?.accounts ?? []
        let (present, missing) = (accounts.filter(\.hasKey), accounts.filter(\.lacksKey))
        let passed = present.isEmpty ? [] : [Finding.pass("keys", "set for \(Self.names(present))")]
        guard !missing.isEmpty else { return passed }
        let count = missing.reduce(0) { $0 + $1.sources.count - $1.enabledSources.count }
        let (verb, them) = count == 1 ? ("is", "it") : ("are", "them")
        let command = missing.count == 1 ? missing[0].setCommands(in: line) : "“\(line.text("set", "ACCOUNT"))”"
        let text = "missing for \(Self.names(missing)), so \(NumberText.count(count, "source")) \(verb) off"
        return passed + [.warning("keys", text, "Run \(command) to use \(them).")]
    }

    private static func names(_ accounts: [KeyAccount]) -> String { accounts.map(\.name).joined(separator: ", ") }

    private var line: KeyCommandLine {
        KeyCommandLine(isSystem: facts.daemonUserID.map { $0 != facts.userID } ?? false)
    }

    private var fleet: [Finding] {
        guard let snapshot = facts.snapshot else { return [] }
        return snapshot.fleetText.map { [.pass("fleet", $0)] } ?? snapshot.fleet
    }

    private var directories: [Finding] {
        let problems = facts.directories.flatMap(directory)
        let wrong = Set(problems.map(\.check))
        let sound = facts.directories.map(\.purpose).filter { !wrong.contains($0) }
        return problems + (sound.isEmpty ? [] : [.pass("directories", sound.joined(separator: ", "))]) + disks
    }

    private func directory(_ directory: DoctorFacts.Directory) -> [Finding] {
        if let found = directory.facts, !found.isDirectory {
            let text = "\(directory.path) is not a directory"
            return [.failure(directory.purpose, text, "Rename or remove it.", .notConfigured)]
        }
        if facts.unusable.contains(directory.purpose) {
            if let found = directory.facts, found.userID != facts.userID {
                let text = "\(directory.path) belongs to user \(UserName.text(found.userID))"
                let remedy = "Run “sudo chown -R \(UserName.text(facts.userID)) \(directory.path)”."
                return [.failure(directory.purpose, text, remedy, .notAllowed)]
            }
            let text = "\(directory.path) can't be used"
            let remedy = "Correct the owner and the mode of this directory, or of a directory above it."
            return [.failure(directory.purpose, text, remedy, .notAllowed)]
        }
        guard let found = directory.facts, directory.isSecret ? found.mode & 0o077 != 0 : found.othersMayReplace
        else { return [] }
        let can = directory.isSecret ? "read it" : "change its files"
        let command = "chmod \(directory.isSecret ? "700" : "go-w") \(directory.path)"
        let remedy = "Run “\(found.userID == 0 ? "sudo " : "")\(command)”."
        let text = "\(directory.path) has mode \(found.modeText), so other users can \(can)"
        return [.failure(directory.purpose, text, remedy, .notAllowed)]
    }

    private var disks: [Finding] {
        let measured = facts.directories.compactMap { directory in
            directory.freeBytes.map { (path: directory.path, bytes: $0) }
        }
        let short = measured.filter { $0.bytes < Self.freeBytesWanted }.map { path, bytes in
            let text = "\(NumberText.bytes(bytes)) free for \(path)"
            return bytes < Self.freeBytesNeeded
                ? Finding.failure("disk", text, "Free some space there.", .tryLater)
                : .warning("disk", text, "Free some space there.")
        }
        guard short.isEmpty, let least = measured.map(\.bytes).min() else { return short }
        return [.pass("disk", "\(NumberText.bytes(least)) free")]
    }

    private var cache: [Finding] {
        guard let problem = facts.snapshot?.stats?[.cacheProblem] else { return [] }
        let texts = [Member.message, .hint].map { VisibleText.visible(problem[$0]?.string ?? "") }
        return [.warning("memory", texts[0], texts[1])]
    }

    private var library: [Finding] {
        let troubles = facts.snapshot?.library ?? []
        guard troubles.isEmpty, let count = facts.savedCount else { return troubles }
        return [.pass("library", "\(NumberText.count(count, "item")) saved")]
    }

    private var machineClock: [Finding] {
        let text = clock.fullTime(clock.now)
        guard !Self.plausibleTime.contains(clock.now) else { return [.pass("clock", text)] }
        let remedy = "Set the clock, for example with “timedatectl set-ntp true”. Certificates and quotas need it."
        return [.failure("clock", "the clock is wrong: \(text)", remedy, .notConfigured)]
    }

    private var units: [Finding] {
        facts.units.map { unit in
            let scope = unit.isUsers ? " --user" : ""
            let text = "\(unit.isUsers ? "your " : "")\(unit.name) is \(unit.state)"
            switch unit.state {
            case "failed":
                return .failure("units", text, "Run “systemctl\(scope) status \(unit.name)”.", .noDaemon)
            case "inactive" where unit.name == ServiceManager.socketUnit:
                return .warning("units", text, "Run “systemctl\(scope) enable --now \(unit.name)”.")
            default: return .pass("units", text)
            }
        }
    }

    private var sources: [Finding] {
        guard let snapshot = facts.snapshot else { return [] }
        let wrong = snapshot.wrongFiles
        guard let failures = facts.troubles else {
            let remedy = "To ask the sources, omit --no-try."
            return snapshot.troubles.map(advised) + wrong + [.skipped("sources", "not asked", remedy)]
        }
        let asked = snapshot.triable
        let known = snapshot.troubles(without: Set(failures.keys.map(SourceErrors.account))).map(advised)
        guard !asked.isEmpty else { return known + wrong }
        let answered = asked.count - failures.count
        let spared = snapshot.enabled.filter { $0.whySpared != nil }
        let others = snapshot.enabled.count - asked.count - spared.count
        let rest =
            others > 0 && snapshot.troubles.isEmpty ? "; no failure of their other sources is known" : ""
        let reasons = spared.grouped { $0.whySpared ?? "" }.map { reason, sources in
            "; not tried (\(reason)): \(sources.grouped(by: \.account).map(\.key).joined(separator: ", "))"
        }
        let text =
            "\(answered) of \(NumberText.count(asked.count, "account")) answer; one source of each was asked"
        var summary = Finding.pass("sources", text + rest + reasons.joined())
        summary.sources = asked
        var troubles = SourceErrors(clock: clock)
        for name in asked { if let failure = failures[name] { troubles.add(failure, of: name) } }
        guard !troubles.isOffline else {
            let ofKeys = troubles.causes.filter { ExitStatus(of: $0.error) == .notAllowed }
            return ofKeys.map(finding) + [.offline] + wrong
        }
        return (answered > 0 ? [summary] : []) + troubles.causes.map(finding) + known + wrong
    }

    private static let later = "Try again later. If it fails again, check the network and the source."

    private func advised(_ finding: Finding) -> Finding {
        var finding = finding
        let entry = facts.snapshot?.sources.first { $0.name == finding.sources.first }
        if let failure = entry?.failure {
            finding.remedy = failure.isOfKey ? "Set its key again with \(setCommand(of: entry))." : Self.later
        }
        return finding
    }

    private func setCommand(of entry: SourceEntry?) -> String {
        let account = facts.snapshot?.accounts.first { $0.name == entry?.account }
        return account?.setCommands(in: line) ?? "“\(line.text("set", "ACCOUNT"))”"
    }

    private func finding(_ cause: SourceErrors.Cause) -> Finding {
        let command = setCommand(of: facts.snapshot?.sources.first { cause.names.contains($0.name) })
        let remedy =
            switch cause.error.code {
            case .init(.unauthorized): "Set its key again with \(command)."
            case .init(.notConfigured): "Set a key with \(command)."
            case .init(.quotaExhausted):
                "Wait until the quota resets. “searchctl quota” lists the quotas, and can correct them."
            case .init(.timeout): Self.later
            default: cause.error.hint ?? Self.later
            }
        let status = ExitStatus(of: cause.error)
        // After these errors, the source may still work.
        let patient: [ClientError.Code] = [.init(.rateLimited), .init(.overloaded), .init(.invalidParams)]
        let isLasting = status == .notAllowed || status == .notConfigured
        var finding = Finding.failure(of: cause.names, cause.error.message, remedy, isLasting ? status : .tryLater)
        if patient.contains(cause.error.code) { (finding.level, finding.status) = (.warning, .found) }
        return finding
    }
}
