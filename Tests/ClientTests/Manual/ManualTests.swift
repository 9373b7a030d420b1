import Glibc
import RPC
import SearchModel
import TestSupport
import Testing

@testable import Client

struct ManualTests {
    private let directory = TemporaryDirectory()

    @Test(arguments: [
        (".so x", "\\&.so x"), ("'tis", "\\(aqtis"), ("a\\b", "a\\eb"), ("--x-y", "\\-\\-x\\-y"), ("고양이", "고양이"),
        ("\"a\" `b` ~ ^", "\\(dqa\\(dq \\(gab\\(ga \\(ti \\(ha"), ("“a” … —", "\\(lqa\\(rq ... \\(em"),
        ("a\n.b", "a .b"),
    ])
    func `no text is taken for a request`(text: String, written: String) {
        var page = Roff("x", section: 1, summary: "y")
        page.paragraph(text)
        #expect(page.text.hasSuffix(".PP\n\(written)\n"))
    }

    @Test func `an example keeps its lines, also empty ones and those that begin with a dot`() {
        var page = Roff("x", section: 1, summary: "y")
        page.example(["a", "", ".b"])
        #expect(page.text.hasSuffix(".nf\na\n\\&\n\\&.b\n.fi\n.RE\n"))
    }

    @Test func `searchctl(1) has every command with its options and examples`() {
        let text = ManualPage.searchctl.text
        for command in CommandTable.commands where !command.isHidden {
            #expect(text.contains(Roff.escaped(command.name)))
            for option in command.options { #expect(text.contains(Roff.escaped(Help.written(option)))) }
            for example in command.examples { #expect(text.contains(Roff.escaped(example))) }
        }
        #expect(!text.contains(Roff.escaped("what the last word could become")))
    }

    @Test func `searchd-protocol(7) has all that rpc.discover has`() {
        let text = ManualPage.wire.text
        func expect(_ fields: [Schema.Field]) {
            for field in fields {
                let entry = "\\fB\(Roff.escaped(field.member.description))\\fR\n(\(Roff.escaped(field.schema.words))"
                #expect(text.contains(entry), "\(field.member)")
                #expect(text.contains(Roff.escaped(field.about)))
            }
        }
        for method in MethodDescription.all {
            #expect(text.contains(".SS \"\(Roff.escaped(method.name))\"\n.PP\n\(Roff.escaped(method.summary))"))
            expect(method.parameters + method.result)
        }
        for notification in NotificationDescription.all { expect(notification.params) }
        for component in Schema.Component.all {
            #expect(text.contains(".SS \"\(component.name)\"\n.PP\n\(Roff.escaped(component.about))"))
            if case .object(let fields, _) = component.schema { expect(fields) }
        }
        for error in ErrorCode.all { #expect(text.contains(Roff.escaped("\(error.kind.rawValue) (\(error.number))"))) }
    }

    @Test func `every exit status is explained once, in the order of the numbers`() {
        let numbers = SearchctlManual.statuses.map(\.status.number)
        #expect(numbers == numbers.sorted())
        #expect(Set(numbers) == Set(ExitStatus.all.map(\.number)))
        #expect(Set(numbers).count == numbers.count)
    }

    @Test func `the examples come before all else that is to be learned`() throws {
        for page in ManualPage.allCases {
            let headings = page.text.split(separator: "\n").filter { $0.hasPrefix(".SH ") }
            #expect(headings.prefix(3) == [".SH \"NAME\"", ".SH \"SYNOPSIS\"", ".SH \"EXAMPLES\""])
        }
    }

    @Test(arguments: ManualPage.allCases) func `a page is printed by its name`(page: ManualPage) {
        #expect(Run("manual", page.rawValue, in: directory).output == page.text)
        #expect(
            page.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().allSatisfy { !$0.isEmpty }
        )
    }

    @Test func `another page is a usage error that names those there are`() {
        let run = Run("manual", "search.1", in: directory)
        #expect(run.status == .usage)
        #expect(run.errors.contains("searchctl.1, searchd-protocol.7"))
    }
}
