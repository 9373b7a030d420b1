import JSON
import SearchModel
import TestSupport
import Testing

@testable import Catalogue

/// Rules that have a shortcut against the same ones as a second alternative, which never has one.
struct ShortcutTests {
    private static let steps = [
        "", #", do: "html""#, #", do: "htmlWithoutMarks""#, #", do: "number""#, #", do: "url""#,
        #", do: { date: "iso" }"#,
        #", do: { date: "rfc822", zone: "+09:00", precision: "day" }"#, #", do: { date: "epochSeconds" }"#,
        #", do: "bool""#, #", do: "secure""#, #", do: { format: "https://x.y/?{}#z" }"#,
        #", do: { omit: ["12", "true", "고양이"] }"#, #", do: ["number", { omit: ["12", "0"] }]"#,
        #", do: ["html", { omit: "고" }]"#, #", do: ["bool", { omit: "true" }]"#,
        #", do: "lowercase""#, #", do: ["lowercase", { omit: "x" }]"#, #", do: [{ omit: ["X", "12"] }, "lowercase"]"#,
        #", do: [{ omit: ["x", "12"] }, "html"]"#, #", do: [{ omit: "12" }, "number"]"#,
        #", do: ["url", { omit: "http://example.org/" }]"#,
    ]
    /// What texts are made of, as JSON writes it.
    private static let pieces = [
        "고양이", "고", " ", "  ", "<b>", "<\\/b>", "</b>", "<b", "&amp;", "&lt;", "&", "\\u0000", "\\n", "\\/", "\\\"",
        "e\u{301}",
        "\u{1112}\u{1161}", "http://example.org/", "https://a.b/?q=", "HTTP:\\/\\/x.y", "2024-03-09", "T11:51:51+09:00",
        "Sat, 09 Mar 2024", " 11:51:51 +0900", "12", "-1", ".5", "1e3", "x", "X", "Yz", "…", "😀", "\\ud800", "<script>",
        "\u{FF21}",
        "\u{202E}", "書", "\u{3000}", "%20", "@", "|",
    ]
    private static let others = [
        "null", "true", "false", "0", "-0", "1.50", "1E5", "1700000000", "[]", "{}", "[null]", "[[\"x\"]]", "{\"a\":1}",
        "[{\"a\":1},2]",
    ]

    private func mapper(_ text: String) throws -> HitMapper {
        let rule = try FieldRule(Declared(node: JSON5Reader.read(Array(text.utf8)), file: "", key: ""))
        return HitMapper(
            source: try #require(SourceName("demo.books")),
            kind: try #require(Kind("book")),
            shape: HitShape(
                key: nil,
                title: rule,
                snippet: rule,
                url: rule,
                author: rule,
                published: rule,
                thumbnail: rule,
                extra: [("x", rule)]
            )
        )
    }

    private func string(_ generator: inout SeededGenerator) -> String {
        let isLong = UInt8.random(in: 0..<40, using: &generator) == 0
        var text = ""
        for _ in 0..<Int.random(in: 0...(isLong ? 3000 : 8), using: &generator) {
            text += Self.pieces.randomElement(using: &generator) ?? ""
        }
        return "\"\(text)\""
    }

    private func value(_ generator: inout SeededGenerator) -> String {
        switch UInt8.random(in: 0..<10, using: &generator) {
        case 0: return Self.others.randomElement(using: &generator) ?? "null"
        case 1:
            let elements = (0..<3).map { _ in string(&generator) } + Self.others.prefix(4)
            return "[\(elements.shuffled(using: &generator).joined(separator: ","))]"
        default: return string(&generator)
        }
    }

    private func hit(_ mapper: HitMapper, _ document: JSONDocument) -> String? {
        document.withView { view in
            var space = mapper.workspace(of: view)
            return mapper.hit(at: 0, rank: 1, &space).map { hit in
                var writer = JSONWriter()
                hit.write(to: &writer, withRaw: false)
                return String(decoding: writer.bytes, as: UTF8.self)
            }
        }
    }

    @Test func `texts are joined as the long way joins them`() throws {
        var generator = SeededGenerator(seed: testSeed())
        let rule = #"{ from: ["a", "c", "d.e"], do: ["clean", { join: ": " }] }"#
        let short = try mapper(rule)
        let long = try mapper("[\"absent\", \(rule)]")
        for _ in 0..<2_000 {
            var members = ["\"b\":0"]
            if Bool.random(using: &generator) { members.append("\"a\":\(value(&generator))") }
            if Bool.random(using: &generator) { members.append("\"c\":\(value(&generator))") }
            if Bool.random(using: &generator) { members.append("\"d\":{\"e\":\(value(&generator))}") }
            let element = "{\(members.joined(separator: ","))}"
            let document = try JSONDocument(Array(element.utf8))
            #expect(hit(short, document) == hit(long, document), "\(element)")
        }
    }

    @Test func `a shortcut leads where the long way does`() throws {
        var generator = SeededGenerator(seed: testSeed())
        for steps in Self.steps {
            let short = try mapper("{ from: \"a\"\(steps) }")
            let long = try mapper("[\"absent\", { from: \"a\"\(steps) }]")
            for _ in 0..<500 {
                let element = "{\"b\":0,\"a\":\(value(&generator))}"
                let document = try JSONDocument(Array(element.utf8))
                #expect(hit(short, document) == hit(long, document), "\(steps) of \(element)")
            }
        }
    }
}
