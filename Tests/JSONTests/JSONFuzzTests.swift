import JSON
import TestSupport
import Testing

@Suite("Readers under mutation")
struct JSONFuzzTests {
    static let seeds =
        (Corpus.accepted + Corpus.refused).map { Array($0.utf8) } + Corpus.notUTF8 + [
            Array(#"{"jsonrpc":"2.0","id":17,"method":"search","params":{"query":"고양이","limit":10}}"#.utf8),
            Array(#"[{"a":[1,2.5e3,-0],"b\n":"\uD83D\uDC31"},[[],{}],true,false,null,"日本語"]"#.utf8),
        ]
    private static let spice = Array("[]{},:\"\\u09-+.eEtfn 고🐱\0\n\u{1F}/'".utf8) + [0x80, 0xC0, 0xED, 0xFF]

    static func mutate(_ bytes: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            let stretch = place..<min(bytes.count, place + Int.random(in: 0...6, using: &random))
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes.insert(spice.randomElement(using: &random) ?? 0, at: place)
            case 1: bytes.removeSubrange(stretch)
            case 2: bytes.insert(contentsOf: bytes[stretch], at: place)
            case 3: bytes.replaceSubrange(stretch, with: (seeds.randomElement(using: &random) ?? []).prefix(24))
            default: if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
            }
        }
        return bytes
    }

    @Test func `the index agrees with the oracle on every text`() throws {
        var random = SeededGenerator(seed: testSeed())
        var index = JSONIndex(limits: .document)
        var accepted = 0
        var pool = Self.seeds
        for round in 0..<20_000 {
            let text = Self.mutate(pool.randomElement(using: &random) ?? [], using: &random)
            let expected = Oracle.read(text)
            do throws(JSONError) {
                try index.index(text)
                accepted += 1
                // As bytes, since strings also compare equal when they only look the same.
                #expect(try JSONDocument(text).root.value.bytes == expected?.bytes, "round \(round): \(text)")
                if text.count < 400 { pool.append(text) }
            } catch {
                #expect(expected == nil, "round \(round): \(text)")
                #expect((0...text.count).contains(error.offset))
                let isUTF8 = String(validating: text, as: UTF8.self) != nil
                #expect(error.code != .notUTF8 || !isUTF8, "round \(round): \(text)")
            }
        }
        #expect(accepted > 1000)
    }

    @Test func `what the writer writes is read back the same`() throws {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<2000 {
            let value = Self.tree(depth: 4, using: &random)
            let bytes = value.bytes
            #expect(try JSONDocument(bytes).root.value.bytes == bytes)
            #expect(try JSONDocument(bytes).root.value == value)
            #expect(Oracle.read(bytes)?.bytes == bytes)
        }
    }

    @Test func `JSON is JSON5, and means the same`() throws {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<1000 {
            let value = Self.tree(depth: 4, using: &random)
            do throws(JSON5Error) {
                #expect(try JSON5Reader.read(value.bytes).plain == value)
            } catch {
                #expect(error.code == .duplicateName)
            }
        }
    }

    @Test func `JSON5 neither crashes nor hangs on broken files`() {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<5000 {
            let text = Self.mutate(Self.seeds.randomElement(using: &random) ?? [], using: &random)
            do throws(JSON5Error) {
                _ = try JSON5Reader.read(text)
            } catch {
                #expect(error.line >= 1 && error.column >= 1)
                #expect(error.line <= text.count + 1 && error.column <= text.count + 1)
            }
        }
    }

    static func tree(depth: Int, using random: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .number(JSONNumber(Int64.random(in: .min ... .max, using: &random)))
        case 3:
            let double = Double(bitPattern: random.next())
            return JSONNumber(double).map(JSONValue.number) ?? .null
        case 4: return .string(string(using: &random))
        case 5:
            return .array(
                (0..<Int.random(in: 0..<5, using: &random)).map { _ in tree(depth: depth - 1, using: &random) }
            )
        default:
            return .object(
                (0..<Int.random(in: 0..<5, using: &random)).map { _ in
                    JSONMember(string(using: &random), tree(depth: depth - 1, using: &random))
                }
            )
        }
    }

    private static func string(using random: inout SeededGenerator) -> String {
        let planes: [ClosedRange<UInt32>] = [0...0x7F, 0x20...0x7E, 0x80...0x7FF, 0xAC00...0xD7A3, 0...0x10FFFF]
        var string = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<20, using: &random) {
            let plane = planes.randomElement(using: &random) ?? 0...0
            string.append(Unicode.Scalar(UInt32.random(in: plane, using: &random)) ?? "\"")
        }
        return String(string)
    }
}
