import Catalogue
import HTTPMessage
import JSON
import SearchModel
import Testing

/// A key that a source repeats, in every form in which it would be seen whole.
struct SecretFormsTests {
    private static let key = "q7Zr9Lm2/Xw4+Tb8Kd6_Hn3Vc5"

    struct Form: CustomTestStringConvertible, Sendable {
        let name: String
        /// As a source writes it in a JSON string.
        let written: String
        /// How many bytes beside the key's own share a digit with it, or hold other text.
        let rest: Int

        var testDescription: String { name }

        init(_ name: String, _ text: String, rest: Int = 0) {
            self.name = name
            self.rest = rest
            written = String(decoding: JSONValue.string(text).bytes.dropFirst().dropLast(), as: UTF8.self)
        }

        init(_ name: String, written: String) {
            self.name = name
            self.written = written
            rest = 0
        }
    }

    private static func each(_ body: (Unicode.Scalar) -> String) -> String {
        key.unicodeScalars.map(body).joined()
    }

    private static func between(_ text: String) -> String { key.map { String($0) }.joined(separator: text) }

    /// Put once into the middle, between two letters.
    private static func inside(_ text: String) -> String { key.replacing("Zr", with: "Z\(text)r") }

    private static func hex(_ value: UInt32, _ digits: Int, uppercase: Bool = false) -> String {
        let text = String(value, radix: 16, uppercase: uppercase)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    private static func percent(_ text: String) -> String { PercentEncoding.encode(text) { _ in false } }

    private static func base64(_ text: String, forURLs: Bool = false) -> String {
        let signs = forURLs ? "-_" : "+/"
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\(signs)".utf8)
        var bits = text.utf8.map { String($0, radix: 2) }.map { String(repeating: "0", count: 8 - $0.utf8.count) + $0 }
            .joined()
        bits += String(repeating: "0", count: (6 - bits.utf8.count % 6) % 6)
        let digits = stride(from: 0, to: bits.utf8.count, by: 6).map { start in
            alphabet[Int(bits.dropFirst(start).prefix(6), radix: 2) ?? 0]
        }
        return String(decoding: digits, as: UTF8.self)
    }

    private static func wide(_ scalar: Unicode.Scalar) -> String {
        Unicode.Scalar(scalar.value - 0x21 + 0xFF01).map { String($0) } ?? ""
    }

    static let forms: [Form] = [
        Form("plain", key), Form("in capitals", key.uppercased()), Form("in small letters", key.lowercased()),
        Form("percent codes", PercentEncoding.encode(key)),
        Form("small percent codes", PercentEncoding.encode(key).lowercased()),
        Form("all percent codes", percent(key)), Form("all small percent codes", percent(key).lowercased()),
        Form("percent codes of both cases", "q7Zr9Lm2%2fXw4%2BTb8Kd6%5fHn3Vc5"),
        Form("percent codes but for /", "q7Zr9Lm2/Xw4%2BTb8Kd6_Hn3Vc5"),
        Form("percent codes but for +", "q7Zr9Lm2%2FXw4+Tb8Kd6_Hn3Vc5"),
        Form("one letter as a percent code", key.replacing("Z", with: "%5A")),
        Form("percent codes twice", percent(percent(key))),
        Form("usual percent codes twice", PercentEncoding.encode(PercentEncoding.encode(key))),
        Form("percent codes three times", percent(percent(percent(key)))),
        Form("decimal entities", each { "&#\($0.value);" }), Form("padded entities", each { "&#000\($0.value);" }),
        Form("hexadecimal entities", each { "&#x\(hex($0.value, 2));" }),
        Form("capital hexadecimal entities", each { "&#X\(hex($0.value, 4, uppercase: true));" }),
        Form("one entity", key.replacing("Z", with: "&#90;")),
        Form("one hexadecimal entity", key.replacing("L", with: "&#x4c;")),
        Form("named entities", "q7Zr9Lm2&sol;Xw4&plus;Tb8Kd6&lowbar;Hn3Vc5"),
        Form("entities of signs", "q7Zr9Lm2&#47;Xw4&#43;Tb8Kd6&#x5F;Hn3Vc5"),
        Form("entities twice", each { "&amp;#\($0.value);" }),
        Form("entities three times", each { "&amp;amp;#x\(hex($0.value, 2));" }),
        Form("entities by number twice", each { "&#38;#\($0.value);" }),
        Form("soft hyphens", between("\u{AD}")), Form("one soft hyphen", inside("\u{AD}")),
        Form("soft hyphens by name", between("&shy;")), Form("a soft hyphen by number", inside("&#173;")),
        Form("zero-width blanks", between("\u{200B}")), Form("one zero-width blank", inside("\u{200B}")),
        Form("non-joiners", between("\u{200C}")), Form("joiners", inside("\u{200D}")),
        Form("joiners by name", inside("&zwj;")), Form("word joiners", between("\u{2060}")),
        Form("byte order marks", between("\u{FEFF}")), Form("marks of direction", inside("\u{200E}\u{202A}")),
        Form("variation selectors", inside("\u{FE0F}")), Form("grapheme joiners", inside("\u{34F}")),
        Form("a soft hyphen as percent codes", inside("%C2%AD")),
        Form("a soft hyphen as percent codes twice", inside("%25C2%25AD")),
        Form("a grapheme joiner as percent codes", inside("%CD%8F")),
        Form("a language tag as percent codes", inside("%f3%a0%80%a1")),
        Form("what is no character", inside("\u{1FFFE}")), Form("language tags", between("\u{E0041}")),
        Form("tags", inside("<b></b>")),
        Form("a word in tags", "q7Z<b>r9Lm2/Xw4+Tb8K</b>d6_Hn3Vc5"),
        Form("tags between all", between("<i></i>")), Form("a tag with attributes", inside("<a href=\"x>y\" id=1>")),
        Form("a comment", inside("<!-- x -->")), Form("several tags", inside("</b><span class=\"searchmatch\"><i>")),
        Form("tags and entities", "q7<b>&#90;</b>r9Lm2/Xw4+Tb8Kd6_Hn3Vc5"),
        Form("wide letters", each(wide)), Form("two wide letters", key.replacing("Zr", with: "Ｚｒ")),
        Form("one wide letter", key.replacing("Z", with: "Ｚ")),
        Form("base64", base64(key), rest: 1), Form("base64 behind a name", base64("user:" + key), rest: 8),
        Form("base64 for URLs", base64(key, forURLs: true), rest: 1),
        Form("base64 with percent codes", PercentEncoding.encode(base64(key)), rest: 1),
        Form("hexadecimal digits", key.utf8.map { hex(UInt32($0), 2) }.joined()),
        Form("capital hexadecimal digits", key.utf8.map { hex(UInt32($0), 2, uppercase: true) }.joined()),
        Form("escapes", written: each { "\\u\(hex($0.value, 4))" }),
        Form("capital escapes", written: each { "\\u\(hex($0.value, 4, uppercase: true))" }),
        Form("one escape", written: key.replacing("Z", with: "\\u005A")),
        Form("an escaped slash", written: key.replacing("/", with: "\\/")),
        Form("escapes of escapes", written: each { "\\\\u\(hex($0.value, 4))" }),
        Form("an escaped backslash before an escape", written: key.replacing("Z", with: "\\u005cu005a")),
        Form("an escaped soft hyphen", written: inside("\\u00ad")),
        Form("escaped tags", written: inside("\\u003cb\\u003e\\u003c/b\\u003e")),
        Form("escaped entities", written: each { "\\u0026#\($0.value);" }),
        Form("entities of percent codes", key.replacing("Z", with: "&#37;5A")),
        Form("entities with a number sign as percent code", key.replacing("Z", with: "&%2390;")),
        Form("entities with an escaped number sign", written: key.replacing("Z", with: "&\\u002390;")),
        Form("percent codes of entities", key.replacing("Z", with: "%26%2390%3B")),
        Form("wide letters and zero-width blanks", key.unicodeScalars.map(wide).joined(separator: "\u{200B}")),
    ]

    private static let source = """
        {
            source: "demo.books", kind: "book", title: "Demo",
            account: {
                secrets: { key: "a key" },
                access: { secrets: ["key"], base: "https://api.example.org", headers: { K: "{secret.key}" } },
                errorText: ["message"],
            },
            request: { path: "/s", parameters: { q: "{query}" } },
            paging: { style: "single", size: 10 },
            response: { hits: "hits" },
            hit: {
                title: { from: "title", do: "html" },
                snippet: { from: "text", do: "html" },
                url: "link",
                author: { from: ["first", "second"], do: ["clean", { join: "" }] },
                thumbnail: { from: "picture", do: "url" },
                key: "key",
                extra: {
                    plain: "note",
                    clean: { from: "note", do: "clean" },
                    html: { from: "note", do: "html" },
                    list: "notes",
                    item: { from: "link", do: { queryItem: "k" } },
                },
            },
        }
        """

    private static func demo() throws -> Source {
        var catalogue = Catalogue()
        try catalogue.add(file: "demo.json5", bytes: Array(source.utf8), trust: .builtIn)
        return try catalogue.source(named: #require(SourceName("demo.books")))
    }

    private static let account = AccountAccess(secrets: ["key": Secret(key)])
    private static let mask = "‹secret›"

    /// The text that a JSON string has.
    private static func text(of form: Form) throws -> String {
        try #require(try JSONDocument(Array("\"\(form.written)\"".utf8)).root.string)
    }

    private static func body(_ form: Form) -> String {
        let text = form.written
        return #"""
            {"hits":[{"title":"a \#(text) b","text":"\#(text)","link":"https://e.org/?k=\#(text)","first":"\#(text)",
            "picture":"https://e.org/\#(text)","key":"\#(text)","note":"see \#(text)","notes":["a","\#(text)"],
            "\#(text)":{"un\#(text)known":["\#(text)"]}},{"title":"another","note":"plain"}]}
            """#
    }

    @Test func `there are forms enough, and each has its name`() {
        #expect(Self.forms.count >= 40)
        #expect(Set(Self.forms.map(\.name)).count == Self.forms.count)
    }

    @Test(arguments: forms)
    func `no field of a hit shows the key`(_ form: Form) throws {
        let page = try Self.demo().page(
            from: response(Self.body(form)),
            for: pageRequest("cat"),
            account: Self.account,
            keepRaw: true
        )
        let hit = try #require(page.hits.first)
        let raw = try JSONDocument(Array(hit.raw)).root.value
        for (shown, expected) in [
            (hit.title, "a \(Self.mask) b"), (hit.snippet, Self.mask), (hit.author, Self.mask),
            (hit.extra("clean")?.string, "see \(Self.mask)"), (hit.extra("plain")?.string, "see \(Self.mask)"),
            (hit.extra("html")?.string, "see \(Self.mask)"), (hit.extra("list")?[1]?.string, Self.mask),
            (hit.extra("item")?.string, Self.mask), (raw["title"]?.string, "a \(Self.mask) b"),
            (raw["notes"]?[1]?.string, Self.mask), (raw.members?.last?.name, Self.mask),
            (raw.members?.last?.value.members?.first?.value[0]?.string, Self.mask),
        ] { #expect(Self.isMasked(shown, expected, form)) }
        let text = try Self.text(of: form)
        for shown in [hit.id, hit.url, hit.thumbnail].compactMap(\.self) {
            #expect(!shown.contains(text) && !shown.contains(Self.key))
        }
        #expect(page.hits.last?.title == "another")
    }

    /// Whether nothing but the key is masked, and all of it.
    private static func isMasked(_ shown: String?, _ expected: String, _ form: Form) -> Bool {
        guard form.rest > 0 else { return shown == expected }
        guard let shown else { return false }
        return shown.contains(mask) && shown.utf8.count - expected.utf8.count <= form.rest
    }

    @Test(arguments: forms)
    func `hits that are read later show no key`(_ form: Form) throws {
        let page = try Self.demo().page(
            from: response(Self.body(form)),
            for: pageRequest("cat"),
            account: Self.account,
            keepRaw: true,
            hitsWanted: 0
        )
        let unread = try #require(page.unread)
        let list = Array("[".utf8) + unread.documents + Array("]".utf8)
        let hit = try #require(unread.reader.hits(of: list, firstRank: 1).first)
        #expect(Self.isMasked(hit.title, "a \(Self.mask) b", form))
    }

    @Test(arguments: forms)
    func `no error shows the key`(_ form: Form) throws {
        let source = try Self.demo()
        let error = try #require(throws: SearchError.self) {
            try source.page(
                from: response(#"{"message":"no, \#(form.written) is bad"}"#, status: 403),
                for: pageRequest("cat"),
                account: Self.account
            )
        }
        #expect(Self.isMasked(error.message, "demo.books answered 403: no, \(Self.mask) is bad", form))
    }

    @Test func `a key that steps put together is masked, and its marks are forgotten`() throws {
        let (first, second) = (Self.key.prefix(9), Self.key.dropFirst(9))
        let page = try Self.demo().page(
            from: response(
                #"{"hits":[{"title":"<b>\#(first)</b><script>x</script>\#(second)","first":"\#(first)","second":"\#(second)"}]}"#
            ),
            for: pageRequest("cat"),
            account: Self.account
        )
        let hit = try #require(page.hits.first)
        #expect(hit.title == Self.mask && hit.titleMarks.isEmpty)
        #expect(hit.author == Self.mask)
    }

    @Test func `a number that is a key becomes a string`() throws {
        let account = AccountAccess(secrets: ["key": Secret("1234567890123456")])
        let body = #"{"hits":[{"title":"t","note":1234567890123456,"notes":[1.5,-991234567890123456e1]}]}"#
        let page = try Self.demo().page(
            from: response(body),
            for: pageRequest("cat"),
            account: account,
            keepRaw: true
        )
        let raw = try JSONDocument(Array(#require(page.hits.first).raw)).root.value
        #expect(raw["note"] == .string(Self.mask))
        #expect(raw["notes"] == [1.5, .string(Self.mask)])
    }

    @Test func `what only looks like a form stays as it is`() throws {
        for text in [
            "Ｚｒ９ &#39;quoted&#39; &amp; %EA%B3%A0 <b>Z</b>r", "q7Zr9Lm2 / Xw4+Tb8Kd6_Hn3Vc5",
            "\u{AD}q\u{200B}7", "https://e.org/%2Fq7?x=%2541&amp;y=1", "100% of \u{1F469}\u{200D}\u{1F467}",
        ] {
            #expect(Redactor([Secret(Self.key)]).redacted(text) == text)
            let json = JSONValue.string(text).bytes
            #expect(Redactor([Secret(Self.key)]).redacted(json: json) == json)
        }
    }

    @Test func `a string that may hide a key is unveiled up to a length, and masked as a whole past it`() {
        let redactor = Redactor([Secret(Self.key)])
        let longest = "&#97;" + String(repeating: "x", count: (64 << 10) - 5)
        let document = JSONValue.array([.string(longest), .string(longest + "x")]).bytes
        let redacted = try? JSONDocument(redactor.redacted(json: document)).root.value
        #expect(redacted == [.string(longest), .string(Self.mask)])
    }
}
