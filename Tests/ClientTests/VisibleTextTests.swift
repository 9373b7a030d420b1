import EventLoop
import JSON
import TestSupport
import Testing

@testable import Client

struct VisibleTextTests {
    /// Removes the escape sequences that `Style` writes, or returns nil if the text has other sequences.
    private func withoutOwnSequences(_ printed: String) -> String? {
        var rest = printed.unicodeScalars[...]
        var left = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            guard scalar == "\u{1B}" else {
                left.append(scalar)
                continue
            }
            switch rest.popFirst() {
            case "[":
                guard let end = rest.firstIndex(of: "m"), ["0", "1", "2", "36", "1;4"].contains(String(rest[..<end]))
                else { return nil }
                rest = rest[rest.index(after: end)...]
            case "]":
                guard let end = rest.firstIndex(of: "\u{1B}"),
                    rest[..<end].allSatisfy({ (0x21...0x7E).contains($0.value) })
                else { return nil }
                let target = String(rest[..<end])
                guard target == "8;;" || target.hasPrefix("8;id=1;http") else { return nil }
                rest = rest[rest.index(after: end)...]
                guard rest.popFirst() == "\\" else { return nil }
            default: return nil
            }
        }
        return String(left)
    }

    private func isHarmless(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            scalar == "\n" || VisibleText.isSafe(scalar) || (0xE0030...0xE007F).contains(scalar.value)
        }
    }

    @Test(arguments: Payloads.all) func `a hostile control character is shown as an escape`(payload: String) {
        let visible = VisibleText.visible("a\(payload)b")
        #expect(visible.contains("\\u{"))
        #expect(visible.unicodeScalars.allSatisfy(VisibleText.isSafe))
    }

    @Test(arguments: Payloads.all) func `every field of a hit is escaped`(payload: String) throws {
        let hit: JSONValue = [
            "id": .string(payload), "source": .string(payload), "kind": "blog", "title": .string(payload),
            "snippet": .string("word \(payload) word"), "author": .string(payload), "published": .string(payload),
            "url": .string(payload.hasPrefix("http") ? payload : "https://example.com/\(payload)"),
            "marks": ["title": [[0, 2]], "snippet": [[5, 8]]],
        ]
        let found = FoundHit(try JSONDocument(hit.bytes).root)
        for lines in 1...2 {
            let style = Style(isOn: true)
            let hits = HitText(
                linesBelow: lines,
                columns: 80,
                numberMax: 10,
                style: style,
                now: 0,
                zone: .fixed(hours: 0)
            )
            let left = try #require(withoutOwnSequences(hits.text(found, number: 1)))
            #expect(isHarmless(left))
            // Line breaks in the payload are escaped, so each line begins with a blank of the format.
            #expect(left.split(separator: "\n").allSatisfy { $0.hasPrefix(" ") })
        }
    }

    @Test(arguments: Payloads.all) func `errors, warnings and progress are escaped`(payload: String) throws {
        let error = ClientError(.init(rawValue: payload), payload, hint: payload, source: payload)
        #expect(FailureText.line(error).unicodeScalars.allSatisfy(VisibleText.isSafe))
        let value: JSONValue = [
            "source": .string(payload), "status": "queued", "reason": .string(payload), "event": "x",
        ]
        let cursor = try JSONDocument(value.bytes).root
        #expect(TraceText.lines(cursor, columns: 80).joined().unicodeScalars.allSatisfy(VisibleText.isSafe))
    }

    @Test(arguments: Payloads.all) func `JSON on a terminal is safe and has the same value`(payload: String) throws {
        let value: JSONValue = ["title": .string(payload)]
        let shown = VisibleJSON.visible(value.bytes)
        #expect(String(decoding: shown, as: UTF8.self).unicodeScalars.allSatisfy(VisibleText.isSafe))
        #expect(try JSONDocument(shown).root.value == value)
    }

    @Test func `random text becomes safe, and safe text is unchanged`() {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<2000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                let top: UInt32 = Bool.random(using: &random) ? 0x300 : 0x10FFFF
                if let scalar = Unicode.Scalar(UInt32.random(in: 0...top, using: &random)) { text.append(scalar) }
            }
            let visible = VisibleText.visible(String(text))
            #expect(isHarmless(visible))
            if text.allSatisfy(VisibleText.isSafe), text.count <= VisibleText.scalarsPerGraphemeMax {
                #expect(Array(visible.unicodeScalars) == Array(text))
            }
        }
    }

    @Test(arguments: ["고양이 🐈‍⬛ 사료", "👨‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "شكرا", "שלום", "e\u{301}", "ನಮಸ್ಕಾರ", "نمی\u{200C}خواهم"])
    func `ordinary text of any script is unchanged`(text: String) {
        #expect(VisibleText.visible(text) == text)
    }

}

/// Texts that would control a terminal or hide characters.
enum Payloads {
    static let sequences = [
        "\u{1B}[2J", "\u{1B}[H", "\u{1B}[3J", "\u{1B}c", "\u{1B}[31m", "\u{1B}[0m", "\u{1B}[8m", "\u{1B}[1A\u{1B}[2K",
        "\u{1B}[999D", "\u{1B}[6n", "\u{1B}[c", "\u{1B}[>c", "\u{1B}[5n", "\u{1B}[?25l", "\u{1B}[?1049h",
        "\u{1B}[?1000h", "\u{1B}[?2004h", "\u{1B}[20h", "\u{1B}[4h", "\u{1B}[12l", "\u{1B}[21t", "\u{1B}[8;1;1t",
        "\u{1B}[22;2t", "\u{1B}[1;31;40;5m", "\u{1B}[38;2;0;0;0m", "\u{1B}(0", "\u{1B})B", "\u{1B}#8", "\u{1B}7",
        "\u{1B}8", "\u{1B}=", "\u{1B}>", "\u{1B}D", "\u{1B}E", "\u{1B}M", "\u{1B}N", "\u{1B}O", "\u{1B}Z", "\u{1B}\\",
        "\u{1B}]0;title\u{7}", "\u{1B}]2;title\u{1B}\\", "\u{1B}]4;1;rgb:00/00/00\u{7}", "\u{1B}]10;?\u{7}",
        "\u{1B}]52;c;cm0gLXJmIC8K\u{7}", "\u{1B}]52;p;?\u{1B}\\", "\u{1B}]7;file:///etc\u{7}",
        "\u{1B}]8;;http://evil.example/\u{1B}\\click\u{1B}]8;;\u{1B}\\", "\u{1B}]8;;file:///etc/passwd\u{7}x",
        "\u{1B}]9;notice\u{7}", "\u{1B}]50;font\u{7}", "\u{1B}]104\u{7}", "\u{1B}]133;A\u{7}",
        "\u{1B}]633;E;rm -rf\u{7}", "\u{1B}]777;notify;a;b\u{7}", "\u{1B}]1337;File=inline=1:AAAA\u{7}",
        "\u{1B}]1337;SetProfile=x\u{7}", "\u{1B}P$q\"p\u{1B}\\", "\u{1B}P+q544e\u{1B}\\", "\u{1B}P0;1|17/ab\u{1B}\\",
        "\u{1B}Pq#0;2;0;0;0#0~~@@\u{1B}\\", "\u{1B}_Gf=24;AAAA\u{1B}\\", "\u{1B}^private\u{1B}\\",
        "\u{1B}Xstring\u{1B}\\",
        "\u{1B}[0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0;0m", "\u{1B}", "\u{1B}[", "\u{1B}]", "\u{1B}\u{1B}\u{1B}[31m",
        "\u{9B}31m", "\u{9B}2J", "\u{9D}0;title\u{9C}", "\u{9D}52;c;AAAA\u{9C}", "\u{90}$q\u{9C}", "\u{9F}Gf\u{9C}",
        "\u{9E}x\u{9C}", "\u{98}x\u{9C}", "\u{84}", "\u{85}", "\u{8D}", "\u{8E}\u{8F}",
    ]
    static let characters = [
        "\0", "\u{1}", "\u{5}", "\u{7}", "\u{8}", "\t", "\n", "\u{B}", "\u{C}", "\r", "\r\n", "\u{E}", "\u{F}",
        "\u{11}", "\u{13}", "\u{18}", "\u{1A}", "\u{1C}", "\u{1F}", "\u{7F}", "\u{80}", "\u{9C}", "\u{9F}", "\u{AD}",
        "\u{61C}", "\u{180E}", "\u{200B}", "\u{200E}", "\u{200F}", "\u{2028}", "\u{2029}", "\u{202A}", "\u{202B}",
        "\u{202C}", "\u{202D}", "\u{202E}", "\u{2060}", "\u{2064}", "\u{2066}", "\u{2067}", "\u{2068}", "\u{2069}",
        "\u{206A}", "\u{206F}", "\u{FEFF}", "\u{FFF9}", "\u{FFFB}", "\u{E0001}", "\u{E0041}", "\u{E007F}",
    ]
    static let disguised = [
        "invoice\u{202E}fdp.exe", "고양이\u{1B}[8m 숨김\u{1B}[0m", "\u{2067}abc\u{2069}\u{202E}def", "ok\rEVIL",
        "ok\u{8}\u{8}no", "line\nsearchctl: all is well", "a\u{301}\u{1B}[31m", "👨\u{200D}\u{1B}[31m👩",
        "🏴\u{E0067}\u{E0062}", "🏴\u{E0001}\u{1B}[31m", "e\u{202E}\u{301}", "\u{1100}\u{9B}31m\u{1161}",
        "https://ok.example/\u{1B}\\\u{1B}]52;c;AA\u{7}", "https://ok.example/\u{7}\u{1B}]0;x\u{7}",
        "https://ok.example/\u{9C}\u{9D}0;x\u{9C}", "https://ok.example/a\u{202E}gpj.exe",
        "http://ok.example/;id=1;http://evil.example/\n", "javascript:alert(1)\u{1B}[31m",
    ]

    static let all = sequences + characters + disguised
}
