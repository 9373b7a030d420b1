import HTTP
import Hangul
import JSON
import SearchModel
import TestSupport
import Testing

@testable import Catalogue

struct LinearTimeTests {
    #if DEBUG
        private static let bytes = 1 << 16
    #else
        private static let bytes = 1 << 20
    #endif

    enum Filling: String, CaseIterable {
        case marks = "\u{301}\u{316}"
        case jamo = "\u{1100}\u{1161}\u{11A8}\u{1161}"
        case emoji = "👩\u{200D}👩\u{200D}👧\u{200D}"
        case entities = "&amp;&#x301;&"
        case brackets = "<<b<a href=\"<"
        case tags = "<b>a</b><span class=\"searchmatch\">\u{301}</span>"
        case escapes = "%26%23&#37;\u{AD}\u{FF21}a"
        case mixed = "e\u{301}\u{316}<b>&amp;👩\u{200D}\u{1100}\u{1161}"

        func text(_ bytes: Int) -> String {
            String(repeating: rawValue, count: bytes / rawValue.utf8.count)
        }
    }

    private static let operations: [(name: String, work: @Sendable (String) throws -> Void)] = [
        ("normal form", { _ = NormalForm.composed($0).count }),
        ("order of titles", { _ = TitleOrder($0) < TitleOrder($0 + "a") }),
        ("query", { _ = SearchQuery($0) }),
        ("glob", { _ = Glob.matches("kakao.blog", $0) || Glob.matches($0, "*a*b") }),
        ("nearest name", { _ = NearestName.of($0, among: ["a"]) }),
        ("plain text", { _ = clean($0, .none) }),
        ("entities", { _ = clean($0, .entities) }),
        ("HTML", { _ = clean($0, .html) }),
        ("cut", { _ = PlainText(text: $0, marks: [0..<9]).normalised().cut(bytesMax: $0.utf8.count / 2) }),
        ("address", { _ = WebAddress("https://e.org/" + $0)?.host }),
        ("canonical address", { _ = CanonicalURL.text(of: "https://e.org/?" + $0) }),
        ("dates", { text in for format in DateFormat.allCases { _ = format.read("2024" + text, zone: 0) } }),
        ("ISBN", { _ = ISBN.thirteen(in: $0.utf8.span) }),
        ("query item", { _ = URLReference.queryItem("a=".utf8.span, of: ("?b=1&a=" + $0).utf8.span) }),
        ("search", { _ = $0.utf8.span.index(of: "\u{316}\u{301}a".utf8.span) }),
        (
            "header",
            { text in
                let fields = HTTPFields([("Retry-After", text), ("Date", text), ("X", text)])
                _ =
                    RetryAfter.read(fields, now: 0) == nil && RetryAfter.date(fields) == nil
                    && fields["x" + text] == nil
            }
        ),
        ("option", { _ = Option(name: $0, value: $0).hashValue == Option(name: $0, value: "").hashValue }),
        ("redaction", { _ = redactor.redacted(Array(($0 + key).utf8)).count }),
        ("redaction of JSON", { _ = redactor.redacted(JSONValue.string($0 + key).bytes, json: true).count }),
    ]

    private static let key = "k4k40/rest-key-0123456789abcdef"
    private static let redactor = Redactor([Secret(key)])

    private static func clean(_ text: String, _ markup: TextCleaner.Markup) -> PlainText {
        TextCleaner.clean(text.utf8.span, markup: markup, bytesMax: bytes)
    }

    @Test(arguments: Filling.allCases)
    func `every text operation takes linear time`(_ filling: Filling) throws {
        for (name, work) in Self.operations {
            let isLinear = try Growth.isLinear(upTo: Self.bytes) { bytes in
                let text = filling.text(bytes)
                return { try work(text) }
            }
            #expect(isLinear, "\(name) of \(filling)")
        }
    }

    @Test(arguments: Filling.allCases)
    func `reading a page takes linear time`(_ filling: Filling) throws {
        let isLinear = try Growth.isLinear(upTo: Self.bytes) { bytes in
            let text = String(decoding: JSONValue.string(filling.text(bytes / 4)).bytes, as: UTF8.self)
            let body = #"""
                {"documents":[{"title":\#(text),"contents":\#(text),"blogname":\#(text),"url":\#(text),
                "datetime":\#(text)}],"meta":{"is_end":\#(text),"total_count":\#(text)}}
                """#
            return { _ = try page("kakao.blog", body, account: kakaoAccess, keepRaw: true) }
        }
        #expect(isLinear)
    }
}
