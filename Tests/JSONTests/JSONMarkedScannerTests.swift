import TestSupport
import Testing

@testable import JSON

@Suite("The quick pass", .enabled(if: MarkedText.canBe))
struct JSONMarkedScannerTests {
    /// What the pass makes of a text: nil when it gives up or takes none so short, nothing when the tape is full.
    private func entries(_ text: [UInt8], capacity: Int = 5000, depthMax: Int = 64) -> [JSONEntry]? {
        var entries = [JSONEntry](repeating: JSONEntry(.null, start: 0, end: 0, next: 0), count: capacity)
        // Both buffers live through the call.
        return unsafe text.withUnsafeBytes { text in
            unsafe JSONMarks.with(text) { marks in
                guard let marks else { return nil }
                let outcome = unsafe entries.withUnsafeMutableBufferPointer { tape in
                    unsafe JSONMarkedScanner(text, marks, onto: tape, depthMax: depthMax)?.scan() ?? .givenUp
                }
                switch outcome {
                case .indexed(let count): return Array(entries[..<count])
                case .tapeFull: return []
                case .givenUp: return nil
                }
            }
        }
    }

    /// A text that is long enough, and the same to all readers.
    private func long(_ text: [UInt8], blanks: Int = 0) -> [UInt8] {
        [UInt8](repeating: UInt8(ascii: " "), count: JSONMarks.textBytesMin + blanks) + text
    }

    /// Where a part is put, so that it is the whole of a text, an element, or a member behind much Hangul.
    private static let frames = [("", ""), ("[", "]"), ("{\"a\":\"고양이와 강아지\",\"b\":", "}")].map {
        (before: Array($0.utf8), after: Array($1.utf8))
    }

    private func checked(_ text: [UInt8]) -> Result<[JSONEntry], JSONError> {
        var index = JSONIndex(limits: .document)
        do throws(JSONError) {
            try index.index(text)
            return .success(Array(index.entries))
        } catch {
            return .failure(error)
        }
    }

    private func document(_ text: [UInt8]) -> Result<[JSONEntry], JSONError> {
        do throws(JSONError) {
            return .success(try JSONDocument(text).storage.entries)
        } catch {
            return .failure(error)
        }
    }

    @Test func `broken and whole texts are read as by the careful pass, errors with their places`() {
        var random = SeededGenerator(seed: testSeed())
        var pool = JSONFuzzTests.seeds
        var (taken, refused) = (0, 0)
        for round in 0..<20_000 {
            let part = JSONFuzzTests.mutate(pool.randomElement(using: &random) ?? [], using: &random)
            let frame = Self.frames[round % Self.frames.count]
            let text = long(frame.before + part + frame.after, blanks: round % 64)
            let expected = checked(text)
            #expect(document(text) == expected, "round \(round): \(part)")
            guard case .success(let entries) = expected else {
                refused += 1
                continue
            }
            if let quick = self.entries(text) {
                taken += 1
                #expect(quick == entries, "round \(round): \(part)")
            }
            if part.count < 400 { pool.append(part) }
        }
        #expect(taken > 1000 && refused > 1000)
    }

    @Test func `every valid text with something in it is taken`() {
        var random = SeededGenerator(seed: testSeed())
        for round in 0..<1000 {
            let value = JSONFuzzTests.tree(depth: 5, using: &random)
            let text = long([JSONValue.array([value, value]).bytes, [0x0A, 0x20]].flatMap { $0 }, blanks: round % 64)
            #expect((try? checked(text).get()) == entries(text, capacity: text.count))
        }
        for text in Corpus.accepted {
            let text = long(Array("[\(text)]".utf8))
            #expect((try? checked(text).get()) == entries(text))
        }
    }

    @Test func `blanks between tokens are passed, and nothing that only looks like one`() throws {
        for blank in ["\n\t\t\r\n", "  ", "\t", String(repeating: "\n ", count: 20)] {
            let tokens = #"[{"a":1,"b":[true,"c"]},-0.5e+10]"#.replacing(",", with: ",\(blank)").replacing(
                ":",
                with: "\(blank):\(blank)"
            )
            .replacing("]", with: "\(blank)]").replacing("{", with: "{\(blank)")
            let taken = try #require(entries(long(Array(tokens.utf8))))
            #expect(try checked(long(Array(tokens.utf8))).get() == taken)
        }
        #expect(entries(long(Array("[1,\u{B}2]".utf8))) == nil)
        #expect(entries(long(Array("[1, \u{0}2]".utf8))) == nil)
    }

    @Test func `64 levels are taken and 65 are not`() {
        let text = { (levels: Int) in
            long(Array((String(repeating: "[", count: levels) + "1" + String(repeating: "]", count: levels)).utf8))
        }
        #expect(entries(text(64))?.count == 65)
        #expect(entries(text(65)) == nil)
        #expect(document(text(65)) == checked(text(65)))
    }

    @Test func `a tape that is too short is told, and a document gets a longer one`() throws {
        let text = long(Array(("[" + String(repeating: "1,", count: 2000) + "1]").utf8))
        #expect(entries(text, capacity: 2002)?.isEmpty == true)
        #expect(entries(text, capacity: 2003)?.count == 2002)
        #expect(try document(text).get().count == 2002)
    }
}
