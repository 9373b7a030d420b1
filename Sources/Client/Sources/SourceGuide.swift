import Hangul

/// `searchctl sources guide`: from an API that answers in JSON to a source that works, in ten minutes.
///
/// The text is a file with a little markup: `#` begins a heading, `1.` a step, `-` an entry whose name ends at `::`, and
/// code stands between lines of three backticks. Empty lines separate the pieces.
package enum SourceGuide {
    /// The columns of a name before its text goes below it.
    private static let nameColumnsMax = 24
    private static let fence = "```"
    private static let exampleFence = "```json5"
    private static let pieces = pieces(of: String(decoding: PackageResources.source_guide_txt, as: UTF8.self))

    /// The guide for a terminal of 80 columns.
    package static let text = text(columns: Console.columnsDefault)

    /// A complete file for an API that does not exist.
    package static var example: String {
        let lines = pieces.first { $0[0] == exampleFence } ?? []
        return lines.dropFirst().dropLast().map { $0 + "\n" }.joined()
    }

    /// The guide laid out for a width; code is never broken.
    static func text(columns: Int) -> String {
        let layout = Layout(columns: columns)
        return pieces.map { lines($0, layout).map { $0 + "\n" }.joined() }.joined(separator: "\n")
    }

    private static func lines(_ piece: [String], _ layout: Layout) -> [String] {
        if piece[0].hasPrefix(fence) {
            // The example is printed as it is copied.
            let margin = piece[0] == exampleFence ? "" : "    "
            return piece.dropFirst().dropLast().map { $0.isEmpty ? "" : margin + $0 }
        }
        if piece[0].hasPrefix("- ") { return entries(piece, layout) }
        let text = piece.joined(separator: " ")
        if text.hasPrefix("# ") { return layout.lines(String(text.dropFirst(2))) }
        guard let number = text.first, number.isNumber else { return layout.lines(text) }
        return layout.lines(String(text.dropFirst(2)), behind: "\(number).  ")
    }

    private static func entries(_ piece: [String], _ layout: Layout) -> [String] {
        var texts: [String] = []
        for line in piece {
            if line.hasPrefix("- ") { texts.append(String(line.dropFirst(2))) } else { texts[texts.count - 1] += line }
        }
        let entries = texts.map { text in
            let name = text.firstRange(of: " :: ").map { (text[..<$0.lowerBound], text[$0.upperBound...]) }
            return (name: String(name?.0 ?? ""), text: String(name?.1 ?? ""))
        }
        return layout.entries(entries, left: entries.map(\.name.count).filter { $0 <= nameColumnsMax }.max() ?? 0)
    }

    private static func pieces(of text: String) -> [[String]] {
        var pieces: [[String]] = [[]]
        var isCode = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix(fence) { isCode.toggle() }
            if line.isEmpty, !isCode { pieces.append([]) } else { pieces[pieces.count - 1].append(line) }
        }
        return pieces.filter { !$0.isEmpty }
    }
}
