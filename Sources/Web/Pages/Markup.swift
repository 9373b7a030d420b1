import Client
import SearchModel

/// HTML or XML.
///
/// Interpolated text is escaped.
struct Markup: ExpressibleByStringInterpolation, Sendable {
    private(set) var text: String

    init() { text = "" }
    init(stringLiteral text: String) { self.text = text }
    init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    /// Does not escape the text, so the text must come from this program.
    init(trusted text: String) { self.text = text }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 32)
        }

        mutating func appendLiteral(_ literal: String) { text += literal }
        mutating func appendInterpolation(_ markup: Markup) { text += markup.text }
        mutating func appendInterpolation(_ text: String) { self.text += Markup.escaped(text) }
        mutating func appendInterpolation(_ number: Int) { text += "\(number)" }

        mutating func appendInterpolation(_ markup: Markup?) { if let markup { text += markup.text } }
    }

    static func + (left: Markup, right: Markup) -> Markup { Markup(trusted: left.text + right.text) }
    static func += (left: inout Markup, right: Markup) { left.text += right.text }

    private static func escaped(_ text: String) -> String {
        let special = "&<>\"'".utf8
        guard text.utf8.contains(where: { special.contains($0) }) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 32)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): bytes.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "<"): bytes.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): bytes.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "\""): bytes.append(contentsOf: "&quot;".utf8)
            case UInt8(ascii: "'"): bytes.append(contentsOf: "&#39;".utf8)
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Sequence<Markup> {
    var markup: Markup { reduce(into: Markup()) { $0 += $1 } }
}

/// Makes untrusted text and addresses safe for a page.
enum Visible {
    static let scalarsMax = 2000
    private static let addressBytesMax = 4096

    /// Removes control characters, invisible characters, and characters that change the direction of the text.
    static func text(_ text: String, scalarsMax: Int = scalarsMax) -> String {
        let isPlain = text.utf8.count <= scalarsMax && text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
        return isPlain ? text : String(pieces(text, [], scalarsMax: scalarsMax).map(\.text).joined())
    }

    static func marked(_ text: String, _ marks: [Range<Int>], scalarsMax: Int = scalarsMax) -> Markup {
        pieces(text, marks, scalarsMax: scalarsMax).map { $0.isMarked ? "<mark>\($0.text)</mark>" : "\($0.text)" }
            .markup
    }

    static func isLink(_ address: String) -> Bool {
        let start = address.prefix(8).lowercased()
        return (start.hasPrefix("https://") || start.hasPrefix("http://")) && address.utf8.count <= addressBytesMax
            && address.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !"\"<>\\^`{|}".utf8.contains($0) }
            && !URLParts(address).authority.isEmpty
    }

    private static func pieces(
        _ text: String,
        _ marks: [Range<Int>],
        scalarsMax: Int
    ) -> [(text: String, isMarked: Bool)] {
        var pieces: [(text: String, isMarked: Bool)] = []
        var piece = String.UnicodeScalarView()
        var wasMarked = false
        var rest = marks[...]
        for (index, scalar) in text.unicodeScalars.enumerated() {
            while let range = rest.first, range.upperBound <= index { rest.removeFirst() }
            let isMarked = rest.first?.contains(index) ?? false
            if isMarked != wasMarked || index == scalarsMax {
                pieces.append((String(piece), wasMarked))
                (piece, wasMarked) = (String.UnicodeScalarView(), isMarked)
            }
            guard index < scalarsMax else {
                pieces.append(("…", false))
                return pieces
            }
            let isSafe = VisibleText.isSafe(scalar)
            if isSafe || scalar.properties.isWhitespace { piece.append(isSafe ? scalar : " ") }
        }
        return pieces + [(String(piece), wasMarked)]
    }
}

enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Converts RFC 3339 to the form `Sat, 09 Mar 2024 02:51:51 GMT`.
    static func text(_ instant: String) -> String? {
        guard let seconds = RFC3339.epochSeconds(instant) else { return nil }
        let time = CivilTime(epochSeconds: seconds)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = days[Int(((seconds / 86_400) % 7 + 7) % 7)]
        return "\(day), \(two(time.day)) \(months[time.month - 1]) \(time.year) "
            + "\(two(time.hour)):\(two(time.minute)):\(two(time.second)) GMT"
    }
}
