import JSON
import SearchModel

/// What was found last, as it was numbered: what `open 3` and `again` mean.
///
/// As text one JSON line for the search and one for each hit.
struct LastSearch {
    static let hitsMax = 1000
    static let bytesMax = 8 << 20
    private static let version = 1

    /// The session of the terminal that it was shown in.
    let session: String
    /// The command line behind `search`.
    let words: [String]
    let firstNumber: Int
    let hits: [JSONCursor]

    init(session: String = "", words: [String], firstNumber: Int, hits: [JSONCursor]) {
        self.session = session
        self.words = words
        self.firstNumber = firstNumber
        self.hits = Array(hits.prefix(Self.hitsMax))
    }

    /// Reads what `text` wrote; nil for anything else, such as the text of another version.
    init?(_ text: [UInt8]) {
        let lines = text.split(separator: UInt8(ascii: "\n"))
        let documents = lines.compactMap { try? JSONDocument(Array($0), limits: .wire).root }
        guard documents.count == lines.count, let head = documents.first, head["version"]?.int == Self.version,
            let firstNumber = head["firstNumber"]?.int
        else { return nil }
        self.init(
            session: head["session"]?.string ?? "",
            words: (head["words"]?.elements ?? []).compactMap(\.string),
            firstNumber: firstNumber,
            hits: Array(documents.dropFirst())
        )
    }

    /// At most `bytesMax` bytes: hits that would not fit are left out.
    var text: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", Self.version)
            writer.member("session", session)
            writer.member("firstNumber", firstNumber)
            writer.name("words")
            writer.array { writer in for word in words { writer.string(word) } }
        }
        var text = writer.bytes + [UInt8(ascii: "\n")]
        for hit in hits where text.count + hit.text.count < Self.bytesMax {
            text.append(contentsOf: hit.text)
            text.append(UInt8(ascii: "\n"))
        }
        return text
    }

    /// With the hits of an earlier page of the same search in front, when this one goes on where that one ended.
    func continuing(_ earlier: LastSearch) -> LastSearch {
        let hits = earlier.hits + hits
        guard earlier.firstNumber + earlier.hits.count == firstNumber, hits.count <= Self.hitsMax else { return self }
        return LastSearch(session: session, words: words, firstNumber: earlier.firstNumber, hits: hits)
    }

    /// The hit under its number; nil when there is none.
    func hit(number: Int) -> JSONCursor? {
        let index = number - firstNumber
        return hits.indices.contains(index) ? hits[index] : nil
    }

    /// The hits whose id begins so, or only the one whose id it is.
    func hits(idBeginning start: String) -> [JSONCursor] {
        let found = hits.filter { $0[.id]?.string?.utf8.starts(with: start.utf8) ?? false }
        return found.first { $0[.id]?.string?.utf8.count == start.utf8.count }.map { [$0] } ?? found
    }

    /// What it found, as a clause of a sentence.
    var range: String {
        switch hits.count {
        case 0: "is empty"
        case 1: "has only number \(firstNumber)"
        default: "has the numbers \(firstNumber) to \(firstNumber + hits.count - 1)"
        }
    }
}
