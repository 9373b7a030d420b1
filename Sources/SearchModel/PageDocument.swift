package import JSON

/// The readable text of a web page with its metadata.
package struct PageDocument: Equatable, Sendable {
    package var url: String?
    package var title: String?
    package var author: String?
    package var published: String?
    package var language: String?
    package var site: String?
    package var summary: String?
    /// If this page is only a frame: the address of the embedded page that has the text.
    package var frame: String?
    package var charset: String?
    /// Whether the page was too large, so only its beginning was read.
    package var isCut = false
    package var blocks: [PageBlock] = []
    /// The addresses of the links; the first has the number 1.
    package private(set) var links: [String] = []

    private static let linksMax = 2000
    private static let facts: [(name: String, path: any WritableKeyPath<PageDocument, String?> & Sendable)] = [
        ("url", \.url), ("title", \.title), ("author", \.author), ("published", \.published), ("language", \.language),
        ("site", \.site), ("summary", \.summary), ("frame", \.frame), ("charset", \.charset),
    ]

    package init() {}

    package func filled(from outer: PageDocument) -> PageDocument {
        var filled = self
        for (name, path) in Self.facts where name != "frame" && self[keyPath: path] == nil {
            filled[keyPath: path] = outer[keyPath: path]
        }
        return filled
    }

    package mutating func numberLinks() {
        var numbers: [String: Int] = [:]
        for block in blocks.indices {
            for link in blocks[block].links.indices {
                let address = blocks[block].links[link].address
                if numbers[address] == nil, links.count < Self.linksMax {
                    links.append(address)
                    numbers[address] = links.count
                }
                blocks[block].links[link].number = numbers[address] ?? 0
            }
            blocks[block].links.removeAll { $0.number == 0 }
        }
    }
}

/// A paragraph, heading, list item or similar unit of a readable page.
package struct PageBlock: Equatable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case heading, paragraph, item, quote, code, table, caption
    }

    package struct Link: Equatable, Sendable {
        package var range: Range<Int>
        package var address: String
        package var number = 0

        package init(range: Range<Int>, address: String, number: Int = 0) {
            (self.range, self.address, self.number) = (range, address, number)
        }
    }

    package var kind: Kind
    /// The level of a heading, from 1 to 6, or the nesting depth of a list item, from 1.
    package var level: Int
    package var number: Int?
    package var text: String
    package var links: [Link] = []
    package var rows: [[String]]

    package init(kind: Kind, level: Int = 0, number: Int? = nil, text: String = "", rows: [[String]] = []) {
        (self.kind, self.level, self.number, self.text, self.rows) = (kind, level, number, text, rows)
    }

    package var pieces: [(text: String, link: Link?)] {
        let scalars = Array(text.unicodeScalars)
        var (pieces, place): ([(text: String, link: Link?)], Int) = ([], 0)
        func add(_ end: Int, _ link: Link?) {
            if place < end { pieces.append((String(String.UnicodeScalarView(scalars[place..<end])), link)) }
            place = end
        }
        for link in links where link.range.lowerBound >= place && link.range.upperBound <= scalars.count {
            add(link.range.lowerBound, nil)
            add(link.range.upperBound, link)
        }
        add(scalars.count, nil)
        return pieces
    }
}

extension PageDocument {
    package var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            for (name, path) in Self.facts { writer.member(name, self[keyPath: path]) }
            if isCut { writer.member("cut", true) }
            writer.name("blocks")
            writer.array { writer in for block in blocks { block.write(to: &writer) } }
            writer.name("links")
            writer.array { writer in for address in links { writer.string(address) } }
        }
        return writer.bytes
    }

    package init(_ root: JSONCursor) {
        for (name, path) in Self.facts { self[keyPath: path] = root[name]?.string }
        isCut = root["cut"]?.bool ?? false
        links = (root["links"]?.elements ?? []).compactMap(\.string)
        blocks = (root["blocks"]?.elements ?? []).compactMap { PageBlock($0, links) }
    }
}

extension PageBlock {
    fileprivate init?(_ block: JSONCursor, _ addresses: [String]) {
        guard let kind = block["kind"]?.string.flatMap(Kind.init) else { return nil }
        self.init(
            kind: kind,
            level: min(max(block["level"]?.int ?? 0, 0), 8),
            number: block["number"]?.int,
            text: block["text"]?.string ?? "",
            rows: (block["rows"]?.elements ?? []).map { $0.elements.map { $0.string ?? "" } }
        )
        links = (block["links"]?.elements ?? []).compactMap { link in
            let numbers = link.elements.compactMap(\.int)
            guard numbers.count == 3, numbers[0] < numbers[1], addresses.indices.contains(numbers[2] - 1) else {
                return nil
            }
            return Link(range: numbers[0]..<numbers[1], address: addresses[numbers[2] - 1], number: numbers[2])
        }
    }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("kind", kind.rawValue)
            if level > 0 { writer.member("level", level) }
            writer.member("number", number)
            if kind != .table { writer.member("text", text) }
            if !rows.isEmpty {
                writer.name("rows")
                writer.array { writer in
                    for row in rows { writer.array { writer in for cell in row { writer.string(cell) } } }
                }
            }
            guard !links.isEmpty else { return }
            writer.name("links")
            writer.array { writer in
                for link in links {
                    writer.array { writer in
                        for value in [link.range.lowerBound, link.range.upperBound, link.number] {
                            writer.integer(value)
                        }
                    }
                }
            }
        }
    }
}
