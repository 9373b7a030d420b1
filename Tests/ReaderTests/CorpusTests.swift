import Glibc
import SearchModel
import Testing

@testable import Reader

/// Reads pages that imitate real sites.
///
/// Their main text is between `{{` and `}}`.
@Suite struct CorpusTests {
    private static let directory = "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/") + "/Pages"

    @Test func `the main text of pages is found`() throws {
        let names = Self.names()
        #expect(names.count >= 40)
        var total = 0.0
        for name in names {
            let (page, wanted) = try Self.load(name)
            let readable = try PageDocument(reading: page, at: "https://example.org/a/b")
            let score = Self.score(Self.words(readable.blocks.map(Self.text).joined(separator: " ")), wanted)
            #expect(score >= 0.7, "\(name)")
            total += score
        }
        #expect(total / Double(names.count) >= 0.95)
    }

    @Test func `titles, authors and dates of pages are found`() throws {
        let wanted: [(page: String, title: String, author: String?, published: String?)] = [
            ("news-broadcaster", "Tram line approved after long debate", "Maria Keller", "2024-03-14T09:30:00Z"),
            ("news-portal-ko", "기준금리 동결…하반기 인하 전망", nil, "2024-04-12"),
            ("news-wordpress", "Sleep study follows two hundred volunteers", "Ines Costa", "2023-06-08T12:15:00+00:00"),
            ("blog-tistory-ko", "기다리지 않는 테스트 쓰기", "수첩", "2024-02-18T23:10:00+09:00"),
            ("blog-sections", "What two nights in a mountain hut taught me", "Nora Lind", "2022-08-30T18:20:30.000Z"),
            ("shop-books-ko", "골목의 고양이", nil, "2023-10-20"),
            ("forum-phpbb", "Burnt garlic", "mia", nil),
        ]
        for (name, title, author, published) in wanted {
            let readable = try PageDocument(reading: Self.load(name).page)
            #expect(readable.title == title)
            if let author { #expect(readable.author == author) }
            #expect(readable.published == published)
        }
    }

    private static func names() -> [String] {
        // Only this function uses the stream, and it closes the stream.
        guard let stream = unsafe opendir(directory) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        // The entry is valid until the next call, and its zero-terminated name is copied before that call.
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(".html") { names.append(String(name.dropLast(5))) }
        }
        return names.sorted()
    }

    /// Returns the page without `{{` and `}}`, and how often each word occurs in the main text.
    private static func load(_ name: String) throws -> (page: [UInt8], words: [String: Int]) {
        let marked = try #require(contents(of: "\(directory)/\(name).html"))
        var (page, text): ([UInt8], [UInt8]) = ([], [])
        var index = 0
        while index < marked.count {
            if marked[index...].starts(with: Array("{{".utf8)), let end = end(of: marked, from: index) {
                page += marked[index + 2..<end]
                text += marked[index + 2..<end] + [0x20]
                index = end + 2
            } else {
                page.append(marked[index])
                index += 1
            }
        }
        let inner = try PageDocument(reading: [0x3C, 0x70, 0x3E] + text + [0x3C, 0x2F, 0x70, 0x3E])
        return (page, words(inner.blocks.map(Self.text).joined(separator: " ")))
    }

    private static func end(of bytes: [UInt8], from start: Int) -> Int? {
        (start..<bytes.count - 1).first { bytes[$0] == UInt8(ascii: "}") && bytes[$0 + 1] == UInt8(ascii: "}") }
    }

    private static func contents(of path: String) -> [UInt8]? {
        // The path is valid during the call, and only this function uses the stream.
        guard let file = unsafe fopen(path, "r") else { return nil }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        // The array is valid during the call, which writes at most as many bytes as the array has.
        while case let count = unsafe fread(&piece, 1, piece.count, file), count > 0 { bytes += piece.prefix(count) }
        return bytes
    }

    private static func text(of block: PageBlock) -> String {
        block.text + " " + block.rows.flatMap(\.self).joined(separator: " ")
    }

    private static func words(_ text: String) -> [String: Int] {
        var words: [String: Int] = [:]
        for word in text.lowercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" }) {
            words[String(word), default: 0] += 1
        }
        return words
    }

    private static func score(_ found: [String: Int], _ wanted: [String: Int]) -> Double {
        let common = found.reduce(0) { $0 + min($1.value, wanted[$1.key] ?? 0) }
        let all = found.values.reduce(0, +) + wanted.values.reduce(0, +)
        return all == 0 ? 1 : 2 * Double(common) / Double(all)
    }
}
