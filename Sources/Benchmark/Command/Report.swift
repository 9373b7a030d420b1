import JSON

/// The results of a run.
struct Report: Sendable {
    /// One part of it.
    struct Section: Sendable {
        /// Its name in JSON.
        var name: String
        var title: String
        var notes: [String] = []
        var tables: [ResultTable] = []
        var verdicts: [Verdict] = []
        /// What must never happen, whatever the figures are.
        var failures: [String] = []
    }

    var sections: [Section] = []

    var failures: [String] { sections.flatMap(\.failures) }
    var verdicts: [Verdict] { sections.flatMap(\.verdicts) }

    /// The whole report for people, the verdicts at its end.
    var text: String {
        var lines: [String] = []
        for section in sections {
            lines += ["", section.title, String(repeating: "=", count: section.title.count)] + section.notes
            for table in section.tables { lines += [""] + table.lines }
        }
        if !verdicts.isEmpty { lines += ["", "Targets", "======="] + verdicts.map(\.line) }
        lines += failures.map { "FAILURE  \($0)" }
        return lines.drop { $0.isEmpty }.joined(separator: "\n")
    }

    /// The whole report for programs, on one line: of each part the tables with the figures of every round.
    var json: String {
        let verdicts = verdicts.map { verdict -> JSONValue in
            [
                "target": .string(verdict.target), "measured": .string(verdict.measured),
                "passed": .bool(verdict.passed),
            ]
        }
        let sections = sections.map { JSONMember($0.name, .array($0.tables.map(\.json))) }
        let closing = [
            JSONMember("verdicts", .array(verdicts)),
            JSONMember("failures", .array(failures.map { .string($0) })),
        ]
        return String(decoding: JSONValue.object(sections + closing).bytes, as: UTF8.self)
    }
}

/// Whether one promised figure was reached.
struct Verdict: Equatable, Sendable {
    /// What was promised, in words.
    let target: String
    /// What was measured, in words.
    let measured: String
    let passed: Bool

    init(_ target: String, measured: String, passed: Bool) {
        self.target = target
        self.measured = measured
        self.passed = passed
    }

    /// One line: `pass  at least Redis's rate at 16 connections: 1.08 (1.02–1.11)`.
    var line: String {
        "\(passed ? "pass" : "MISS")  \(target): \(measured)"
    }
}

extension JSONValue {
    static func decimal(_ number: Double) -> JSONValue { JSONNumber(number).map { .number($0) } ?? .null }
}
