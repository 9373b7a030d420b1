import JSON
import Testing

@testable import Client

/// What `doctor` says of all that it found.
struct DoctorReportTests {
    @Test func `the worst failure makes the exit status`() {
        func status(_ statuses: Client.ExitStatus...) -> Int32 {
            DoctorReport(findings: statuses.map { .failure("x", "y", "z", $0) }).status.number
        }
        #expect(status(.tryLater, .notConfigured, .notAllowed, .noDaemon) == 69)
        #expect(status(.tryLater, .notConfigured, .notAllowed) == 77)
        #expect(status(.tryLater, .notConfigured) == 78)
        #expect(status(.tryLater) == 75)
        #expect(status() == 0)
        #expect(DoctorReport(findings: [.warning("x", "y", "z")]).status == .found)
    }

    @Test func `the report is lines for people and one document for programs`() throws {
        let report = DoctorReport(findings: [
            .pass("socket", "is there"), .failure("위키", "bad \u{1B}[31m", "mend it", .notConfigured),
        ])
        #expect(
            report.lines(Style(isOn: false), columns: 80) == [
                "pass     socket  is there", "failure  위키    bad \\u{1b}[31m", "                 → mend it",
                "1 failure",
            ]
        )
        let document = try JSONDocument(report.json).root
        #expect(document["status"]?.int == 78)
        #expect(document["checks"]?[1]?["remedy"]?.string == "mend it")
    }
}
