import SearchModel

/// Writes the page with the main text of a fetched web page.
extension Pages {
    func reader(_ document: PageDocument) -> Markup {
        let url = document.url ?? ""
        let facts = [document.author, document.published.map { String($0.prefix(10)) }, document.site]
            .compactMap(\.self).map { fact -> Markup in "<bdi>\(Visible.text(fact, scalarsMax: 200))</bdi> · " }
        let missing = document.blocks.isEmpty ? language[.noText] : document.isCut ? language[.cut] : ""
        return """
            <article id="reader" lang="\(document.language ?? "")" dir="auto">
            <h1><bdi>\(Visible.text(document.title ?? "", scalarsMax: 500))</bdi></h1>
            <p class="facts">\(facts.markup)\(Self.link(url, "\(URLParts(url).host)"))</p>
            \(blocks(document.blocks))<p class="facts">\(missing)</p></article>
            """
    }

    func readerLink(_ url: String) -> Markup {
        "<a class=\"read\" href=\"/read?\(signed(url))\">\(language[.read])</a>"
    }

    private func blocks(_ blocks: [PageBlock]) -> Markup {
        var (result, depth) = (Markup(), 0)
        for block in blocks {
            let level = block.kind == .item ? max(1, block.level) : 0
            while depth < level {
                result += "<ul>"
                depth += 1
            }
            while depth > level {
                result += "</ul>"
                depth -= 1
            }
            result += Self.block(block) + "\n"
        }
        return result + (0..<depth).map { _ -> Markup in "</ul>" }.markup
    }

    private static func block(_ block: PageBlock) -> Markup {
        let text = block.pieces.map { link($0.link?.address ?? "", lines($0.text, "<br>")) }.markup
        switch block.kind {
        case .heading: return block.level < 3 ? "<h2>\(text)</h2>" : "<h3>\(text)</h3>"
        case .paragraph: return "<p>\(text)</p>"
        case .item:
            return "<li\(block.number.map { number -> Markup in " class=\"number\" value=\"\(number)\"" })>\(text)</li>"
        case .quote: return "<blockquote>\(text)</blockquote>"
        case .code: return "<pre tabindex=\"0\">\(lines(block.text.replacing("\t", with: "    "), "\n"))</pre>"
        case .caption: return "<p class=\"facts\">\(text)</p>"
        case .table:
            let rows = block.rows.map { row -> Markup in
                "<tr>\(row.map { cell -> Markup in "<td>\(lines(cell, "<br>"))</td>" }.markup)</tr>"
            }
            return "<div class=\"table\" tabindex=\"0\"><table>\(rows.markup)</table></div>"
        }
    }

    private static func link(_ address: String, _ text: Markup) -> Markup {
        Visible.isLink(address) ? "<a href=\"\(address)\" rel=\"noreferrer\">\(text)</a>" : text
    }

    private static func lines(_ text: String, _ separator: Markup) -> Markup {
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map { line -> Markup in "\(Visible.text(String(line), scalarsMax: .max - 1))" }
        return lines.dropFirst().reduce(lines.first ?? "") { $0 + separator + $1 }
    }
}
