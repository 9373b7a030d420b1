import JSON
import SearchModel

/// What one check of `doctor` has found.
struct Finding: Equatable {
    enum Level: String {
        case pass
        /// Worth a look; nothing is broken.
        case warning
        case failure
    }

    let level: Level
    /// What was looked at, in a word.
    let check: String
    let message: String
    /// What to do; for a warning or failure.
    var remedy: String?
    /// What a failure makes of the exit status.
    var status = ExitStatus.found

    static func pass(_ check: String, _ message: String) -> Finding {
        Finding(level: .pass, check: check, message: message)
    }

    static func warning(_ check: String, _ message: String, _ remedy: String) -> Finding {
        Finding(level: .warning, check: check, message: message, remedy: remedy)
    }

    static func failure(_ check: String, _ message: String, _ remedy: String, _ status: ExitStatus) -> Finding {
        Finding(level: .failure, check: check, message: message, remedy: remedy, status: status)
    }
}

/// All findings, for people, for programs, and as an exit status; pure.
struct DoctorReport {
    /// From the worst: without a daemon there is nothing, while what is to be tried later passes by itself.
    private static let severity: [ExitStatus] = [.noDaemon, .notAllowed, .notConfigured, .tryLater]

    let findings: [Finding]

    var status: ExitStatus {
        let failures = findings.filter { $0.level == .failure }.map(\.status)
        return Self.severity.first(where: failures.contains) ?? failures.first ?? .found
    }

    func lines(_ style: Style) -> [String] {
        let columns = findings.map { DisplayWidth.columns(of: VisibleText.visible($0.check)) }.max() ?? 0
        let margin = String(repeating: " ", count: 9 + columns + 2)
        let checks = findings.flatMap { finding -> [String] in
            let check = DisplayWidth.padded(VisibleText.visible(finding.check), columns + 2)
            let level = Self.colour(finding.level, style)(DisplayWidth.padded(finding.level.rawValue, 9))
            let first = level + check + VisibleText.visible(finding.message)
            return [first] + (finding.remedy.map { [margin + "→ " + VisibleText.visible($0)] } ?? [])
        }
        return checks + [summary]
    }

    private var summary: String {
        let failures = count(.failure)
        let warnings = count(.warning)
        if failures + warnings == 0 { return "all is well" }
        return [(failures, "failure"), (warnings, "warning")].filter { $0.0 > 0 }
            .map { FigureText.count($0.0, $0.1) }.joined(separator: ", ")
    }

    private func count(_ level: Finding.Level) -> Int {
        findings.count { $0.level == level }
    }

    private static func colour(_ level: Finding.Level, _ style: Style) -> (String) -> String {
        switch level {
        case .pass: style.green
        case .warning: style.yellow
        case .failure: style.red
        }
    }

    var json: [UInt8] {
        JSONWriter.bytes { writer in
            writer.member("status", Int(status.number))
            writer.member("failures", count(.failure))
            writer.member("warnings", count(.warning))
            writer.array(Member("checks")) { writer in
                for finding in findings {
                    writer.object { writer in
                        writer.member("check", finding.check)
                        writer.member("result", finding.level.rawValue)
                        writer.member("message", finding.message)
                        writer.member("remedy", finding.remedy)
                    }
                }
            }
        }
    }
}
