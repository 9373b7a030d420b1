import Hangul
import JSON
import RPC
import SearchModel

/// Formats all findings as text and as JSON, and determines the exit status.
struct DoctorReport {
    private static let severity: [ExitStatus] = [.noDaemon, .notAllowed, .notConfigured, .tryLater]

    let findings: [Finding]

    var status: ExitStatus {
        let failures = findings.filter { $0.level == .failure }.map(\.status)
        return Self.severity.first(where: failures.contains) ?? failures.first ?? .found
    }

    func lines(_ style: Style, columns: Int) -> [String] {
        let rows = findings.flatMap { finding in
            let level = DisplayWidth.padded(finding.level.rawValue, Self.levelColumns)
            let name = Self.colour(finding.level, style)(level) + VisibleText.visible(finding.check)
            return [(name: name, text: VisibleText.visible(finding.message))]
                + (finding.remedy.map { [(name: "", text: "→ " + VisibleText.visible($0))] } ?? [])
        }
        return Layout(columns: columns).table(rows, nameMax: Self.levelColumns + Self.checkColumnsMax) + [summary]
    }

    private static let levelColumns = 9
    private static let checkColumnsMax = 20

    private var summary: String {
        let failures = count(.failure)
        let warnings = count(.warning)
        let problems = [(failures, "failure"), (warnings, "warning")].filter { $0.0 > 0 }
            .map { NumberText.count($0.0, $0.1) }
        let skipped = count(.skipped)
        let rest = skipped > 0 ? ["\(NumberText.count(skipped, "check")) skipped"] : []
        return ((problems.isEmpty ? ["no problems found"] : problems) + rest).joined(separator: ", ")
    }

    private func count(_ level: Finding.Level) -> Int {
        findings.count { $0.level == level }
    }

    private static func colour(_ level: Finding.Level, _ style: Style) -> (String) -> String {
        switch level {
        case .pass: style.green
        case .skipped: style.dim
        case .warning: style.yellow
        case .failure: style.red
        }
    }

    var json: [UInt8] {
        JSONWriter.bytes { writer in
            writer.member("status", Int(status.number))
            writer.member("failures", count(.failure))
            writer.member("warnings", count(.warning))
            let checks = findings.map { finding in
                let members: [(String, String?)] = [
                    ("check", finding.check), ("result", finding.level.rawValue), ("message", finding.message),
                    ("remedy", finding.remedy),
                ]
                let sources = JSONValue.array(finding.sources.map(JSONValue.string))
                return JSONValue.object(
                    members.compactMap { name, text in text.map { JSONMember(name, .string($0)) } }
                        + (finding.sources.isEmpty ? [] : [JSONMember(.sources, sources)])
                )
            }
            writer.member("checks", JSONValue.array(checks))
        }
    }
}
