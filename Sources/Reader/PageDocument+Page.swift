import JSON
package import SearchModel

extension PageDocument {
    package static let pageBytesMax = 4 << 20
    /// If the main text is shorter, the real page may be in a frame.
    private static let framedLengthMax = 400

    /// Throws an error if the page is empty, too large or not text.
    package init(
        reading page: [UInt8],
        type: String? = nil,
        charset label: String? = nil,
        at address: String? = nil
    ) throws(ReadingError) {
        guard page.count <= Self.pageBytesMax else { throw .tooLarge }
        guard page.contains(where: { $0 > 0x20 }) else { throw .empty }
        let encoding = Charset(of: page, label: label)
        let text = encoding.text(of: page)
        guard Self.isText(text) else { throw .notText }
        self.init()
        charset = encoding.name == "CP949" ? "euc-kr" : encoding.name.lowercased()
        if type == "text/plain" || type == nil && !Self.hasMarkup(text) {
            blocks = Self.paragraphs(text)
        } else {
            readHTML(text, at: address.flatMap(PageAddress.init))
        }
        if language == nil { language = Self.language(of: blocks) }
        numberLinks()
    }

    private mutating func readHTML(_ html: [UInt8], at given: PageAddress?) {
        let tree = PageTree(html: html)
        let base = tree.nodes.indices.first { tree.nodes[$0].tag == .base }.flatMap { tree[.href, of: $0] }
        let address = base.flatMap { link in given?.resolving(link) }.flatMap(PageAddress.init) ?? given
        readFacts(tree, at: address)
        let parts = Boilerplate(tree)
        let candidates = PageFlattener(tree, parts, at: address).candidates
        blocks = MainText.blocks(candidates, tree, title: title)
        isCut = tree.isCut
        if blocks.reduce(0, { $0 + Candidate.length(of: $1.text.utf8) }) >= Self.framedLengthMax { frame = nil }
    }

    private static func isText(_ text: [UInt8]) -> Bool {
        let sample = text.prefix(64 << 10)
        let controls = sample.count { $0 < 0x20 && ![0x09, 0x0A, 0x0C, 0x0D, 0x1B].contains($0) }
        var replaced = 0
        for index in sample.indices.dropLast(2) where sample[index] == 0xEF {
            if sample[index + 1] == 0xBF, sample[index + 2] == 0xBD { replaced += 1 }
        }
        return controls * 100 <= sample.count && replaced * 10 <= sample.count
    }

    private static func hasMarkup(_ text: [UInt8]) -> Bool {
        text.prefix(4096).contains(UInt8(ascii: "<"))
    }

    private static func paragraphs(_ text: [UInt8]) -> [PageBlock] {
        let lines = String(decoding: text, as: UTF8.self)
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        var blocks: [PageBlock] = []
        var paragraph: [Substring] = []
        for line in lines + [""] {
            if !line.allSatisfy(\.isWhitespace) {
                paragraph.append(line)
            } else if !paragraph.isEmpty {
                let isCode = paragraph.allSatisfy { $0.hasPrefix("  ") || $0.hasPrefix("\t") }
                blocks.append(PageBlock(kind: isCode ? .code : .paragraph, text: paragraph.joined(separator: "\n")))
                paragraph = []
            }
        }
        return blocks
    }

    private static func language(of blocks: [PageBlock]) -> String? {
        var (hangul, kana, others) = (0, 0, 0)
        for scalar in blocks.lazy.flatMap({ $0.text.unicodeScalars }).prefix(4000) {
            switch scalar.value {
            case 0xAC00...0xD7A3: hangul += 1
            case 0x3040...0x30FF: kana += 1
            case 0x21...: others += 1
            default: break
            }
        }
        if hangul * 4 > others, hangul > 0 { return "ko" }
        return kana * 4 > others && kana > 0 ? "ja" : nil
    }
}

package enum ReadingError: String, Error, CaseIterable, Sendable {
    case empty
    case notText
    case tooLarge

    package var message: String {
        switch self {
        case .empty: "The page is empty."
        case .notText: "The page is not text."
        case .tooLarge: "The page is larger than \(PageDocument.pageBytesMax >> 20) MiB."
        }
    }
}
