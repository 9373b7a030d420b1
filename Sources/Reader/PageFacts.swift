import JSON
import SearchModel

extension PageDocument {
    mutating func readFacts(_ tree: PageTree, at address: PageAddress?) {
        let metas = PageFacts.Metas(tree)
        let data = PageFacts.structuredData(tree)
        let short = { (node: Int) in tree.plainText(of: node, bytesMax: PageFacts.textBytesMax) }
        var (plainTitle, time, byline, dateText): (String?, String?, String?, String?)
        var headings: [String] = []
        for node in tree.nodes.indices {
            switch tree.nodes[node].tag {
            case .html: language = tree[.lang, of: node]
            case .title:
                plainTitle = plainTitle ?? PageFacts.text(String(decoding: tree.source(of: node), as: UTF8.self))
            case .h1, .h2, .h3:
                guard headings.count < PageFacts.headingsMax else { continue }
                if let heading = PageFacts.text(short(node)) { headings.append(heading) }
            case .time: time = time ?? tree[.datetime, of: node].flatMap(PageDate.whole)
            case .iframe, .frame: frame = frame ?? PageFacts.frame(node, tree, at: address)
            case .text, .script, .style, .body, .head: break
            default:
                let (isAuthor, isDate) = PageFacts.says(node, tree)
                if isAuthor, byline == nil { byline = PageFacts.name(short(node)) }
                if isDate, dateText == nil { dateText = PageDate.first(in: short(node)) }
            }
        }
        title = PageFacts.title(metas["og:title"] ?? data["headline"] ?? metas["twitter:title"], plainTitle, headings)
        let named = data["author"] ?? metas["author"] ?? metas["article:author"] ?? metas["dc.creator"] ?? metas["byl"]
        author = named.flatMap(PageFacts.name) ?? byline
        published = data["datePublished"].flatMap(PageDate.whole) ?? metas.date ?? time ?? dateText
        site = metas["og:site_name"]
        summary = metas["og:description"] ?? metas["description"] ?? metas["twitter:description"]
        let locale = language ?? metas["og:locale"] ?? data["inLanguage"] ?? metas["content-language"]
        language = locale.map { String($0.prefix { $0.isASCII && $0.isLetter }).lowercased() }
        if language?.isEmpty == true { language = nil }
        frame = frame ?? metas["refresh"].flatMap { PageFacts.refresh($0, at: address) }
    }
}

private enum PageFacts {
    static let textBytesMax = 500
    private static let scriptBytesMax = 256 << 10
    static let headingsMax = 20

    static func text(_ text: String) -> String? {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard words.utf8.count > textBytesMax else { return words.isEmpty ? nil : words }
        return String(decoding: words.utf8.prefix(textBytesMax), as: UTF8.self) + "…"
    }

    /// Prefers the heading that occurs earliest in the title of the page.
    static func title(_ given: String?, _ plain: String?, _ headings: [String]) -> String? {
        guard let whole = given.flatMap(text) ?? plain else { return headings.first }
        let places = headings.filter { $0.utf8.count > 3 && 4 * $0.utf8.count > whole.utf8.count }
            .compactMap { heading in
                whole.utf8.firstRange(of: heading.utf8).map { (heading: heading, start: $0.lowerBound) }
            }
        if let best = places.min(by: { ($0.start, -$0.heading.utf8.count) < ($1.start, -$1.heading.utf8.count) }) {
            return best.heading
        }
        for separator in [" | ", " :: ", " — ", " – ", " - ", " : ", " « ", " ‹ "] {
            let parts = whole.split(separator: separator)
            guard parts.count > 1, let longest = parts.max(by: { $0.utf8.count < $1.utf8.count }) else { continue }
            if given == nil || 2 * longest.utf8.count > whole.utf8.count { return String(longest) }
        }
        return whole
    }

    static func name(_ text: String) -> String? {
        var words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        if let first = words.first?.lowercased(), ["by", "by:", "글", "작성자", "글쓴이", "written"].contains(first) {
            words.removeFirst()
        }
        let end = words.dropFirst().firstIndex { "»|·•,".contains($0) || $0.contains(where: \.isNumber) }
        if let end { words.removeSubrange(end...) }
        words.removeAll { $0.contains("@") || $0 == "기자" }
        let name = words.joined(separator: " ")
        return name.isEmpty || name.utf8.count > 80 || name.contains("://") ? nil : name
    }

    static func says(_ node: Int, _ tree: PageTree) -> (author: Bool, date: Bool) {
        let itemprop = tree[.itemprop, of: node]
        let name = "\(tree[.class, of: node] ?? "") \(tree[.id, of: node] ?? "")"
        if name.utf8.count == 1, itemprop == nil, tree[.rel, of: node] == nil { return (false, false) }
        let lower = name.utf8.count > 200 ? "" : name.lowercased()
        let isAuthor =
            itemprop == "author" || tree[.rel, of: node] == "author"
            || ["author", "byline", "writer", "reporter", "nickname"].contains { lower.utf8.contains($0.utf8) }
        let isDate =
            itemprop == "datePublished"
            || ["date", "time", "posted", "publish", "regist", "info", "meta", "byline"].contains {
                lower.utf8.contains($0.utf8)
            }
        return (isAuthor, isDate)
    }

    /// Reads JSON-LD.
    ///
    /// The first value of each member is used.
    static func structuredData(_ tree: PageTree) -> [String: String] {
        var facts: [String: String] = [:]
        for node in tree.nodes.indices where tree.nodes[node].tag == .script {
            guard tree[.type, of: node]?.lowercased() == "application/ld+json" else { continue }
            let source = tree.source(of: node)
            guard source.count <= scriptBytesMax, let root = try? JSONDocument(source).root else { continue }
            let objects = [root] + root.elements + (root["@graph"]?.elements ?? [])
            for object in objects where object["datePublished"] != nil || object["headline"] != nil {
                for name in ["headline", "datePublished", "inLanguage"] {
                    facts[name] = facts[name] ?? object[name]?.string.flatMap(text)
                }
                let author = object["author"]?[0] ?? object["author"]
                facts["author"] = facts["author"] ?? (author?["name"]?.string ?? author?.string).flatMap(text)
            }
        }
        return facts
    }

    static func frame(_ node: Int, _ tree: PageTree, at address: PageAddress?) -> String? {
        let name = (tree[.id, of: node] ?? tree[.name, of: node] ?? "").lowercased()
        guard tree.nodes[node].tag == .frame || name.hasPrefix("main") || name.hasPrefix("content"),
            let address, let source = tree[.src, of: node], let target = address.resolving(source),
            let other = PageAddress(target), isSameSite(other.host, address.host), other != address
        else { return nil }
        return target
    }

    private static func isSameSite(_ left: Substring, _ right: Substring) -> Bool {
        left.split(separator: ".").suffix(2) == right.split(separator: ".").suffix(2)
    }

    static func refresh(_ content: String, at address: PageAddress?) -> String? {
        let parts = content.split(separator: ";", maxSplits: 1)
        guard parts.count == 2, let seconds = Int(parts[0].trimmingBlanks), seconds <= 10 else { return nil }
        let target = parts[1].trimmingBlanks
        guard target.lowercased().hasPrefix("url=") else { return nil }
        return address?.resolving(target.dropFirst(4).trimmingBlanks.filter { $0 != "'" && $0 != "\"" })
    }

    struct Metas {
        private static let dates = [
            "article:published_time", "datepublished", "date", "dc.date", "dc.date.issued", "dcterms.created",
            "pubdate",
            "publishdate", "sailthru.date", "article:published", "og:regdate", "parsely-pub-date", "citation_date",
        ]
        private var contents: [String: String] = [:]

        init(_ tree: PageTree) {
            for node in tree.nodes.indices where tree.nodes[node].tag == .meta {
                let name =
                    tree[.property, of: node] ?? tree[.name, of: node] ?? tree[.itemprop, of: node]
                    ?? tree[.httpEquiv, of: node]
                guard let name = name?.lowercased(), let content = tree[.content, of: node].flatMap(PageFacts.text)
                else { continue }
                if contents[name] == nil { contents[name] = content }
            }
        }

        subscript(name: String) -> String? { contents[name] }

        var date: String? { Self.dates.lazy.compactMap { name in contents[name].flatMap(PageDate.whole) }.first }
    }
}

enum PageDate {
    private enum Token {
        case number(Int, digits: Int)
        case month(Int)
        case word
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    private static let textBytesMax = 400

    /// Returns a date such as `2024-03-09`; if the text is an ISO time, adds the time of day.
    static func whole(_ text: String) -> String? {
        let bytes = Array(text.trimmingBlanks.utf8)
        guard let date = first(in: text) else { return nil }
        let hasTime = (19...35).contains(bytes.count) && bytes[4] == 0x2D && (bytes[10] == 0x54 || bytes[10] == 0x20)
        return hasTime ? date + "T" + String(decoding: bytes[11...], as: UTF8.self) : date
    }

    /// Finds dates such as `2024. 3. 9.`, `March 9, 2024`, `9 Mar 2024` and `20240309`.
    static func first(in text: String) -> String? {
        let tokens = text.utf8.count < textBytesMax ? tokens(text.lowercased()) : []
        for (index, token) in tokens.enumerated() {
            guard case .number(let value, let digits) = token else { continue }
            if digits == 8, let date = date(value / 10_000, value / 100 % 100, value % 100) { return date }
            guard digits == 4 else { continue }
            if index + 2 < tokens.count, case .number(let month, _) = tokens[index + 1],
                case .number(let day, _) = tokens[index + 2], let date = date(value, month, day)
            {
                return date
            }
            guard index >= 2 else { continue }
            switch (tokens[index - 2], tokens[index - 1]) {
            case (.month(let month), .number(let day, _)), (.number(let day, _), .month(let month)):
                if let date = date(value, month, day) { return date }
            default: break
            }
        }
        return nil
    }

    private static func tokens(_ text: String) -> [Token] {
        var (tokens, rest): ([Token], Substring.UTF8View) = ([], text[...].utf8)
        while !rest.isEmpty {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            let letters = rest.prefix { (0x61...0x7A).contains($0) }
            if !digits.isEmpty {
                tokens.append(.number(Int(Substring(digits)) ?? 0, digits: digits.count))
            } else if letters.count > 2 {
                let month = months.firstIndex { letters.starts(with: $0.utf8) }
                tokens.append(month.map { .month($0 + 1) } ?? .word)
            }
            rest = rest.dropFirst(max(1, digits.count + letters.count))
        }
        return tokens
    }

    private static func date(_ year: Int, _ month: Int, _ day: Int) -> String? {
        guard (1990...2100).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        return "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
    }
}
