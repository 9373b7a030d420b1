import SearchModel

/// Converts a tree to a list of blocks in the order of the page.
struct PageFlattener {
    private struct Setting {
        var node = 0
        var kind = PageBlock.Kind.paragraph
        var level = 0
        var address: String?
        var isBoilerplate = false
        var keepsBlanks = false
    }

    private static let cellsMax = 5000

    private let tree: PageTree
    private let parts: Boilerplate
    private let address: PageAddress?
    private(set) var candidates: [Candidate] = []
    private var line = Line()
    private var setting = Setting()
    private var nextNumber: Int?
    private var itemNumber: Int?

    init(_ tree: PageTree, _ parts: Boilerplate, at address: PageAddress?) {
        (self.tree, self.parts, self.address) = (tree, parts, address)
        visit(0)
        endBlock()
    }

    private mutating func visit(_ node: Int) {
        for child in tree.children(of: node) {
            let tag = tree.nodes[child].tag
            if tag == .text {
                line.append(tree.text[tree.nodes[child].text], setting.address, keepsBlanks: setting.keepsBlanks)
            } else if tag == .br {
                if line.endsWithBreak, !setting.keepsBlanks { endBlock() } else { line.breakLine() }
            } else if !parts.isHidden(child) {
                tag.isInline ? visitInline(child, tag) : visitBlock(child, tag)
            }
        }
    }

    private mutating func visitInline(_ node: Int, _ tag: Tag) {
        let outer = setting
        if !setting.isBoilerplate, parts.isBoilerplate(node) { return }
        if tag == .a { setting.address = tree[.href, of: node].flatMap { resolved($0) } ?? setting.address ?? "" }
        visit(node)
        setting = outer
    }

    private func resolved(_ link: String) -> String? {
        if let address { return address.resolving(link) }
        return PageAddress(link) == nil ? nil : link
    }

    private mutating func visitBlock(_ node: Int, _ tag: Tag) {
        endBlock()
        let outer = (setting, nextNumber, itemNumber)
        setting.node = node
        setting.isBoilerplate = setting.isBoilerplate || parts.isBoilerplate(node)
        switch tag {
        case .h1, .h2, .h3, .h4, .h5, .h6: (setting.kind, setting.level) = (.heading, tag.headingLevel ?? 2)
        case .ul, .ol, .dl:
            setting.level = setting.kind == .item ? setting.level + 1 : 1
            nextNumber = tag == .ol ? tree[.start, of: node].flatMap { Int($0) } ?? 1 : nil
        case .li, .dd:
            (setting.kind, itemNumber) = (.item, tag == .li ? nextNumber : nil)
            setting.level = max(1, setting.level)
            nextNumber = nextNumber.map { $0 &+ 1 }
        case .blockquote: setting.kind = .quote
        case .pre: (setting.kind, setting.keepsBlanks) = (.code, true)
        case .figcaption, .caption: setting.kind = .caption
        case .table:
            if let rows = rows(of: node) {
                add(table: rows, in: node)
                (setting, nextNumber, itemNumber) = outer
                return
            }
        default: break
        }
        visit(node)
        endBlock()
        let count = nextNumber
        (setting, nextNumber, itemNumber) = outer
        if tag == .li, nextNumber != nil { nextNumber = count }
    }

    private mutating func endBlock() {
        let ended = line.take()
        guard !ended.text.isEmpty else { return }
        var candidate = Candidate(node: setting.node, block: PageBlock(kind: setting.kind, text: ended.text))
        candidate.block.links = ended.links
        (candidate.plain, candidate.linked) = (ended.plain, ended.linked)
        candidate.block.level = [.heading, .item].contains(setting.kind) ? setting.level : 0
        if setting.kind == .item { candidate.block.number = itemNumber }
        itemNumber = nil
        candidate.isBoilerplate = setting.isBoilerplate
        candidates.append(candidate)
    }

    /// Returns nil for a table that only arranges parts of the page.
    private func rows(of table: Int) -> [[String]]? {
        let others: [Tag] = [.table, .iframe, .form, .h1, .h2, .h3]
        if tree.descendants(of: table).contains(where: { others.contains(tree.nodes[$0].tag) }) { return nil }
        var rows: [[String]] = []
        var (cellCount, longCount) = (0, 0)
        for node in tree.descendants(of: table) {
            switch tree.nodes[node].tag {
            case .tr: rows.append([])
            case .td, .th:
                let text = tree.plainText(of: node)
                cellCount += 1
                if text.utf8.count > 400 { longCount += 1 }
                if text.utf8.count > 120, hasBlocks(node) { return nil }
                if rows.isEmpty { rows.append([]) }
                rows[rows.count - 1].append(text)
            default: break
            }
            if cellCount > Self.cellsMax { return nil }
        }
        rows.removeAll { $0.allSatisfy(\.isEmpty) }
        let isData = rows.count > 1 && rows.contains { $0.count > 1 } && longCount * 4 < cellCount
        return isData ? rows : nil
    }

    private func hasBlocks(_ node: Int) -> Bool {
        tree.descendants(of: node).contains { [.div, .p, .hr, .section, .blockquote].contains(tree.nodes[$0].tag) }
    }

    private mutating func add(table rows: [[String]], in node: Int) {
        var candidate = Candidate(node: node, block: PageBlock(kind: .table, rows: rows))
        candidate.plain = parts.lengths[node]
        let all = rows.reduce(0) { $0 + $1.reduce(0) { $0 + Candidate.length(of: $1.utf8) } }
        candidate.linked = max(0, all - candidate.plain)
        candidate.isBoilerplate = setting.isBoilerplate
        candidates.append(candidate)
    }
}

private struct Line {
    private var text: [UInt8] = []
    private var scalarCount = 0
    private var needsBlank = false
    private var links: [PageBlock.Link] = []
    private var plain = 0
    private var linked = 0
    private(set) var endsWithBreak = false

    mutating func append(_ bytes: ArraySlice<UInt8>, _ address: String?, keepsBlanks: Bool) {
        let (start, scalarsBefore) = (text.count, scalarCount)
        var hasBegun = false
        for byte in bytes {
            if byte <= 0x20 || byte == 0x7F {
                if keepsBlanks, byte == 0x0A || byte == 0x20 || byte == 0x09 {
                    add(byte)
                } else {
                    needsBlank = !text.isEmpty
                }
                continue
            }
            if needsBlank, text.last != 0x0A { add(0x20) }
            needsBlank = false
            if !hasBegun, let address, !address.isEmpty { beginLink(address) }
            (hasBegun, endsWithBreak) = (true, false)
            add(byte)
        }
        guard hasBegun else { return }
        let length = Candidate.length(of: text[start...])
        if address == nil { plain += length } else { linked += length }
        if address?.isEmpty == false, scalarCount > scalarsBefore { extendLink() }
    }

    private mutating func add(_ byte: UInt8) {
        text.append(byte)
        if byte & 0xC0 != 0x80 { scalarCount += 1 }
    }

    private mutating func beginLink(_ address: String) {
        // If a picture splits the text of a link, both texts are one link.
        if let last = links.last, last.address == address, scalarCount - last.range.upperBound <= 1 { return }
        links.append(PageBlock.Link(range: scalarCount..<scalarCount, address: address))
    }

    private mutating func extendLink() {
        guard let last = links.last else { return }
        links[links.count - 1].range = last.range.lowerBound..<scalarCount
    }

    mutating func breakLine() {
        endsWithBreak = true
        needsBlank = false
        if !text.isEmpty, text.last != 0x0A { add(0x0A) }
    }

    mutating func take() -> (text: String, links: [PageBlock.Link], plain: Int, linked: Int) {
        while let last = text.last, last <= 0x20 {
            text.removeLast()
            scalarCount -= 1
        }
        defer { self = Line() }
        let kept = links.map { link in
            PageBlock.Link(range: link.range.clamped(to: 0..<scalarCount), address: link.address)
        }
        return (String(decoding: text, as: UTF8.self), kept.filter { !$0.range.isEmpty }, plain, linked)
    }
}
