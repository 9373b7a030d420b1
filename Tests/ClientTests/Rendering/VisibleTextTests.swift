import EventLoop
import JSON
import TestSupport
import Testing

@testable import Client

struct VisibleTextTests {
    /// What is left of printed text without our own sequences: those, and only those, of `Style`.
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

    @Test func `there are at least a hundred payloads`() {
        #expect(Set(Payloads.all).count >= 100)
    }

    @Test(arguments: Payloads.all) func `a payload is shown as escapes`(payload: String) {
        let visible = VisibleText.visible("a\(payload)b")
        #expect(visible.contains("\\u{"))
        #expect(visible.unicodeScalars.allSatisfy(VisibleText.isSafe))
    }

    @Test(arguments: Payloads.all) func `no field of a hit lets a payload through`(payload: String) throws {
        let hit: JSONValue = [
            "id": .string(payload), "source": .string(payload), "kind": "blog", "title": .string(payload),
            "snippet": .string("word \(payload) word"), "author": .string(payload), "published": .string(payload),
            "url": .string(payload.hasPrefix("http") ? payload : "https://example.com/\(payload)"),
            "marks": ["title": [[0, 2]], "snippet": [[5, 8]]],
        ]
        let found = FoundHit(try JSONDocument(hit.bytes).root)
        for layout in [HitText.Layout.compact, .long] {
            let style = Style(isOn: true)
            let hits = HitText(layout, columns: 80, numberMax: 10, style: style, now: 0, zone: .fixed(hours: 0))
            let left = try #require(withoutOwnSequences(hits.text(found, number: 1)))
            #expect(isHarmless(left))
            // The lines are ours: none of the payload's line breaks is among them.
            #expect(left.split(separator: "\n").allSatisfy { $0.hasPrefix(" ") })
        }
    }

    @Test(arguments: Payloads.all) func `no error, warning or progress lets a payload through`(payload: String) throws {
        let error = ClientError(.init(rawValue: payload), payload, hint: payload, source: payload)
        #expect(FailureText.line(error).unicodeScalars.allSatisfy(VisibleText.isSafe))
        let value: JSONValue = [
            "source": .string(payload), "status": "queued", "reason": .string(payload), "event": "x",
        ]
        let cursor = try JSONDocument(value.bytes).root
        var waiting = WaitingSources()
        waiting.received(source: cursor, at: Instant(nanoseconds: 0))
        #expect(waiting.line?.unicodeScalars.allSatisfy(VisibleText.isSafe) == true)
        #expect(TraceText.lines(cursor, columns: 80).joined().unicodeScalars.allSatisfy(VisibleText.isSafe))
    }

    @Test(arguments: Payloads.all) func `JSON for a terminal is harmless and means the same`(payload: String) throws {
        let value: JSONValue = ["title": .string(payload)]
        let shown = VisibleJSON.visible(value.bytes)
        #expect(String(decoding: shown, as: UTF8.self).unicodeScalars.allSatisfy(VisibleText.isSafe))
        #expect(try JSONDocument(shown).root.value == value)
    }

    @Test func `random text is harmless, and what is safe stays as it is`() {
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
    func `ordinary text of any script stays as it is`(text: String) {
        #expect(VisibleText.visible(text) == text)
    }

    @Test func `a grapheme keeps as many marks as its limit and no more`() {
        let most = VisibleText.scalarsPerGraphemeMax
        let fits = "a" + String(repeating: "\u{301}", count: most - 1)
        #expect(VisibleText.visible(fits) == fits)
        #expect(VisibleText.visible(fits + "\u{301}") == fits)
        #expect(VisibleText.graphemes(fits + "\u{301}b").map(\.scalars) == [most + 1, 1])
    }
}
