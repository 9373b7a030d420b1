package import JSON

/// What a run found.
package struct Report: Sendable {
    /// One part of it.
    package struct Section: Sendable {
        /// What programs call it.
        package var name: String
        package var title: String
        package var notes: [String] = []
        package var tables: [TextTable] = []
        package var verdicts: [Verdict] = []
        /// What must not happen at all, whatever the figures are.
        package var failures: [String] = []
        /// What was measured, for programs.
        package var figures = JSONValue.null
    }

    package var sections: [Section] = []

    package var failures: [String] { sections.flatMap(\.failures) }
    package var verdicts: [Verdict] { sections.flatMap(\.verdicts) }

    /// The whole report for people, the verdicts at its end.
    package var text: String {
        var lines: [String] = []
        for section in sections {
            lines += ["", section.title, String(repeating: "=", count: section.title.count)] + section.notes
            for table in section.tables { lines += [""] + table.lines }
        }
        if !verdicts.isEmpty { lines += ["", "Targets", "======="] + verdicts.map(\.line) }
        lines += failures.map { "FAILURE  \($0)" }
        return lines.drop { $0.isEmpty }.joined(separator: "\n")
    }

    /// The whole report for programs, on one line.
    package var json: String {
        let verdicts = verdicts.map { verdict in
            JSONValue.object([
                JSONMember("target", .string(verdict.target)),
                JSONMember("measured", .string(verdict.measured)),
                JSONMember("passed", .bool(verdict.passed)),
            ])
        }
        let sections = sections.map { JSONMember($0.name, $0.figures) }
        let closing = [
            JSONMember("verdicts", .array(verdicts)),
            JSONMember("failures", .array(failures.map { .string($0) })),
        ]
        return String(decoding: JSONValue.object(sections + closing).bytes, as: UTF8.self)
    }
}
