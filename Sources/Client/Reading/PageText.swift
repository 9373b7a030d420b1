import EventLoop
import Hangul
import JSON
package import SearchModel

/// Formats a readable document as wrapped lines.
package struct PageText {
    private static let columnsMax = 88
    private static let linesMax = 1_000_000

    private let columns: Int
    private let style: Style
    private let isMarked: Bool

    /// Formats for people: links have numbers.
    package init(columns: Int, style: Style) {
        (self.columns, self.style, isMarked) = (min(columns, Self.columnsMax), style, false)
    }

    /// Formats for programs: links have addresses, and headings begin with `#`.
    package init(columns: Int) {
        (self.columns, style, isMarked) = (columns, Style(isOn: false), true)
    }

    package func lines(_ document: PageDocument) -> [String] {
        var lines = wrapped(document.title ?? "").map(style.bold)
        let facts = [document.author, document.published, document.site].compactMap(\.self).filter { !$0.isEmpty }
        lines += wrapped(facts.joined(separator: " · ")).map(style.dim)
        lines += [style.dim(VisibleText.visible(document.url ?? ""))]
        var last: PageBlock.Kind?
        for block in document.blocks {
            let isSameList = block.kind == .item && last == .item
            lines += (isSameList ? [] : [""]) + self.lines(block)
            last = block.kind
        }
        if document.isCut { lines += ["", style.dim("(The page is too large. The rest is left out.)")] }
        return lines
    }

    package func lines(_ block: PageBlock) -> [String] {
        let text = block.pieces.map { piece in
            guard let link = piece.link else { return piece.text }
            return piece.text + (isMarked ? " (\(link.address))" : "[\(link.number)]")
        }
        .joined()
        switch block.kind {
        case .heading where isMarked:
            return wrapped(text, first: String(repeating: "#", count: max(1, block.level)) + " ")
        case .heading: return wrapped(text).map(style.bold)
        case .item:
            let indent = String(repeating: "  ", count: max(1, block.level) - 1)
            return wrapped(text, first: indent + (block.number.map { "\($0). " } ?? "• "))
        case .quote: return wrapped(text, first: "│ ", others: "│ ")
        case .code: return Self.codeLines(block.text).map { "    " + VisibleText.visible($0) }
        case .caption: return wrapped(text).map(style.dim)
        case .table where isMarked: return block.rows.flatMap { wrapped($0.joined(separator: " | ")) }
        case .table: return table(block.rows)
        case .paragraph: return wrapped(text)
        }
    }

    private func wrapped(_ text: String, first: String = "", others: String? = nil) -> [String] {
        let width = DisplayWidth.columns(of: first)
        let margin = others ?? String(repeating: " ", count: width)
        let lines = text.unicodeScalars.split(separator: "\n").flatMap { line in
            LineWrap.lines(Cell.cells(String(line)), columns: columns - width, linesMax: Self.linesMax)
        }
        return lines.enumerated().map { index, line in
            (index == 0 ? first : margin) + line.map(\.text).joined()
        }
    }

    private func table(_ rows: [[String]]) -> [String] {
        let count = rows.map(\.count).max() ?? 0
        let full = rows.map { row in
            row.map(VisibleText.visible) + [String](repeating: "", count: count - row.count)
        }
        let widths = Layout(columns: columns).widths(of: full)
        return full.flatMap { Layout.row($0, widths: widths) }
    }

    fileprivate static func codeLines(_ text: String) -> [String] {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0).replacingScalars { $0 == "\t" ? "    " : nil } }
    }
}

enum PageMarkdown {
    static func text(_ document: PageDocument) -> String {
        var parts: [String] = []
        if let title = document.title { parts.append("# \(escaped(title))") }
        let facts = [document.author, document.published].compactMap { $0.map(escaped) }
        parts.append((facts + [MarkdownText.link("link", to: document.url)]).joined(separator: " · "))
        var last: PageBlock.Kind?
        for block in document.blocks {
            let text = self.text(block)
            if block.kind == .item, last == .item {
                parts[parts.count - 1] += "\n" + text
            } else {
                parts.append(text)
            }
            last = block.kind
        }
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    private static func text(_ block: PageBlock) -> String {
        let text = block.pieces.map { MarkdownText.link(escaped($0.text), to: $0.link?.address) }.joined()
        switch block.kind {
        case .heading: return String(repeating: "#", count: max(1, min(6, block.level))) + " \(text)"
        case .item:
            let indent = String(repeating: "    ", count: max(1, block.level) - 1)
            return indent + (block.number.map { "\($0). " } ?? "- ") + text
        case .quote: return text.split(separator: "\n").map { "> \($0)" }.joined(separator: "\n")
        case .code:
            let lines = PageText.codeLines(block.text).map(VisibleText.visible)
            let longest = lines.map { $0.utf8.prefix { $0 == UInt8(ascii: "`") }.count }.max() ?? 0
            let fence = String(repeating: "`", count: max(3, longest + 1))
            return ([fence] + lines + [fence]).joined(separator: "\n")
        case .caption: return "*\(text)*"
        case .table: return table(block.rows)
        case .paragraph:
            return block.links.isEmpty ? escaped(block.text, MarkdownText.lineEscaped) : text
        }
    }

    private static func escaped(_ text: String, _ escape: (String) -> String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { escape(VisibleText.visible(String($0))) }.joined(separator: "  \n")
    }

    private static func escaped(_ text: String) -> String { escaped(text, MarkdownText.escaped) }

    private static func table(_ rows: [[String]]) -> String {
        let count = rows.map(\.count).max() ?? 0
        let lines = rows.map { row in
            "| " + (row.map(escaped) + [String](repeating: "", count: count - row.count)).joined(separator: " | ")
                + " |"
        }
        let rule = "|" + String(repeating: " --- |", count: count)
        return ([lines.first ?? "", rule] + lines.dropFirst()).joined(separator: "\n")
    }
}
