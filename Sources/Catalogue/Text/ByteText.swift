/// Operations on the text of source files and addresses that compare bytes: exact, and quick on long texts.
///
/// What is looked for comes from a source's file and is never empty.
enum ByteText {
    /// What stands before the first occurrence; nil when there is none.
    static func before(_ mark: String, in text: String) -> String? {
        find(mark, in: text.utf8.span, from: 0).map { String(decoding: text.utf8.prefix($0), as: UTF8.self) }
    }

    /// What stands behind the first occurrence; nil when there is none.
    static func after(_ mark: String, in text: String) -> String? {
        find(mark, in: text.utf8.span, from: 0).map {
            String(decoding: text.utf8.dropFirst($0 + mark.utf8.count), as: UTF8.self)
        }
    }

    static func withoutPrefix(_ prefix: String, _ text: String) -> String {
        guard text.utf8.starts(with: prefix.utf8) else { return text }
        return String(decoding: text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }

    static func withoutSuffix(_ suffix: String, _ text: String) -> String {
        guard text.utf8.count >= suffix.utf8.count, text.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
        else {
            return text
        }
        return String(decoding: text.utf8.dropLast(suffix.utf8.count), as: UTF8.self)
    }

    /// The pieces between the occurrences, empty ones left out, so many at the most.
    static func split(_ text: String, by separator: String, countMax: Int) -> [String] {
        let bytes = Array(text.utf8)
        var pieces: [String] = []
        var start = 0
        while start <= bytes.count, pieces.count < countMax {
            let end = find(separator, in: bytes.span, from: start) ?? bytes.count
            if end > start { pieces.append(String(decoding: bytes[start..<end], as: UTF8.self)) }
            start = end + separator.utf8.count
        }
        return pieces
    }

    static func replacing(_ old: String, with new: String, in text: String) -> String {
        guard find(old, in: text.utf8.span, from: 0) != nil else { return text }
        let bytes = Array(text.utf8)
        var replaced: [UInt8] = []
        var start = 0
        while let end = find(old, in: bytes.span, from: start) {
            replaced += bytes[start..<end]
            replaced += new.utf8
            start = end + old.utf8.count
        }
        return String(decoding: replaced + bytes[start...], as: UTF8.self)
    }

    /// Where a text occurs first; nil when it does not.
    static func place(of mark: String, in text: Span<UInt8>) -> Int? { find(mark, in: text, from: 0) }

    /// Where a text occurs first, at or behind a place.
    private static func find(_ needle: String, in bytes: Span<UInt8>, from start: Int) -> Int? {
        let wanted = needle.utf8.span
        guard !wanted.isEmpty else { return nil }
        var place = start
        while place + wanted.count <= bytes.count {
            var index = 0
            while index < wanted.count, bytes[place + index] == wanted[index] { index += 1 }
            if index == wanted.count { return place }
            place += 1
        }
        return nil
    }
}
