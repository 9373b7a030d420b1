import Glibc
import RPC
import SearchModel
import TestSupport
import Testing

@testable import Client

struct ManualTests {
    @Test(arguments: [
        (".so x", "\\&.so x"), ("'tis", "\\(aqtis"), ("a\\b", "a\\eb"), ("--x-y", "\\-\\-x\\-y"), ("고양이", "고양이"),
        ("\"a\" `b` ~ ^", "\\(dqa\\(dq \\(gab\\(ga \\(ti \\(ha"), ("“a” … —", "\\(lqa\\(rq ... \\(em"),
        ("a\n.b", "a .b"),
    ])
    func `text is never interpreted as a roff request`(text: String, written: String) {
        var page = Roff("x", section: 1, summary: "y")
        page.paragraph(text)
        #expect(page.text.hasSuffix(".PP\n\(written)\n"))
    }

    @Test func `searchctl(1) has every command with its options and examples`() {
        let text = ManualPage.searchctl.text()
        for command in CommandTable.commands where !command.isHidden {
            #expect(text.contains(Roff.escaped(command.name)))
            for option in command.options { #expect(text.contains(Roff.escaped(Help.written(option)))) }
            for example in command.examples { #expect(text.contains(Roff.escaped(example))) }
        }
        #expect(!text.contains(Roff.escaped("candidates for the last word")))
    }

    @Test func `searchd-protocol(7) documents everything in rpc.discover`() {
        let text = ManualPage.wire.text()
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

    @Test func `every exit status is explained once, in numerical order`() {
        let section = SearchctlManual.end.split(separator: ".SH ").first ?? ""
        let numbers = section.split(separator: "\n").compactMap { line in
            line.hasPrefix("\\fB") ? Int32(line.dropFirst(3).dropLast(3)) : nil
        }
        #expect(numbers == [0, 1, 2, 3, 69, 70, 75, 77, 78, 130])
    }
}
