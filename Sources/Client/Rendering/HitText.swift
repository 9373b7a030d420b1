import JSON

/// Hits as a person reads them: number, title, where it is from, snippet, link.
struct HitText {
    static let titleLinesMax = 3
    static let snippetLinesMax = 3
    private static let untitled = "(untitled)"

    let columns: Int
    let style: Style
    /// Seconds since 1970: items have an age.
    private let now: Int64
    /// Columns of the numbers in front of titles.
    let numberColumns: Int

    /// - Parameters:
    ///   - columns: The width of the text.
    ///   - numberMax: The highest number that will be shown.
    ///   - style: How words are set off.
    ///   - now: Seconds since 1970.
    init(columns: Int, numberMax: Int, style: Style, now: Int64) {
        self.columns = columns
        self.style = style
        self.now = now
        numberColumns = max(2, String(numberMax).count)
    }

    /// The lines of one hit, the last one empty.
    func text(_ hit: FoundHit, number: Int) -> String {
        let margin = String(repeating: " ", count: numberColumns + 2)
        let label = String(number) + "."
        let padding = String(repeating: " ", count: max(0, numberColumns + 1 - label.count))
        var text = ""
        for (index, line) in titleLines(hit, number: number).enumerated() {
            text += (index == 0 ? padding + style.dim(label) + " " : margin) + line + "\n"
        }
        let others = hit.alsoFrom.isEmpty ? "" : "also " + hit.alsoFrom.joined(separator: ", ")
        let origin = [hit.source, hit.author ?? "", hit.publishedTime?.age(at: now) ?? "", others]
            .filter { !$0.isEmpty }.joined(separator: " · ")
        for line in lines(origin, linesMax: 1) { text += margin + style.cyan(line.map(\.text).joined()) + "\n" }
        for line in lines(hit.snippet ?? "", marks: hit.snippetMarks, linesMax: Self.snippetLinesMax) {
            text += margin + runs(line, marked: style.bold, plain: { $0 }) + "\n"
        }
        if let url = hit.url, !url.isEmpty {
            // Never broken into lines: it is there to be copied.
            text += margin + style.link(style.dim(VisibleText.visible(url)), to: url, id: number) + "\n"
        }
        return text + "\n"
    }

    /// One line of a hit that has come, before it is known where it will stand.
    func preview(_ hit: FoundHit) -> String {
        let title = hit.title.isEmpty ? Self.untitled : hit.title
        let line = LineWrap.lines(Cell.cells("\(hit.source) · \(title)"), columns: columns - 1, linesMax: 1).first ?? []
        return style.dim(line.map(\.text).joined()) + "\n"
    }

    private func titleLines(_ hit: FoundHit, number: Int) -> [String] {
        let lines = lines(hit.title, marks: hit.titleMarks, linesMax: Self.titleLinesMax)
        guard !lines.isEmpty else { return [style.link(Self.untitled, to: hit.url, id: number)] }
        return lines.map { line in
            style.link(runs(line, marked: style.boldUnderlined, plain: style.bold), to: hit.url, id: number)
        }
    }

    private func lines(_ text: String, marks: [Range<Int>] = [], linesMax: Int) -> [[Cell]] {
        LineWrap.lines(Cell.cells(text, marks: marks), columns: columns - numberColumns - 2, linesMax: linesMax)
    }

    /// A line with its marked runs set off.
    private func runs(_ line: [Cell], marked: (String) -> String, plain: (String) -> String) -> String {
        var text = ""
        for run in line.split(between: { $0.isMarked != $1.isMarked }) {
            let joined = run.map(\.text).joined()
            text += run.first?.isMarked == true ? marked(joined) : plain(joined)
        }
        return text
    }
}

extension Array {
    /// The runs of elements between which the condition does not hold; none of them is empty.
    fileprivate func split(between isBoundary: (Element, Element) -> Bool) -> [ArraySlice<Element>] {
        var runs: [ArraySlice<Element>] = []
        var start = startIndex
        for index in indices.dropFirst() where isBoundary(self[index - 1], self[index]) {
            runs.append(self[start..<index])
            start = index
        }
        if start < endIndex { runs.append(self[start...]) }
        return runs
    }
}
