import SearchModel

/// Chooses the main text of a page: the element whose blocks have the greatest total weight.
///
/// Sentences have positive weights. Links and short texts have negative weights.
struct MainText {
    /// If the main text is shorter, boilerplate may belong to it, too.
    private static let shortLengthMax = 240

    private let tree: PageTree
    private let candidates: [Candidate]
    private let title: String?

    static func blocks(_ candidates: [Candidate], _ tree: PageTree, title: String?) -> [PageBlock] {
        let text = MainText(tree: tree, candidates: candidates, title: title)
        var best = text.chosen(fromAll: false)
        if length(of: best) < shortLengthMax {
            let all = text.chosen(fromAll: true)
            if length(of: all) > 2 * length(of: best) { best = all }
        }
        return best.map(\.block)
    }

    private static func length(of blocks: [Candidate]) -> Int { blocks.reduce(0) { $0 + $1.plain } }

    private func chosen(fromAll: Bool) -> [Candidate] {
        let weights = candidates.map { $0.isBoilerplate && !fromAll ? -10 : Self.weight(of: $0) }
        guard let root = heaviest(weights).map(container) else { return fromAll ? candidates : [] }
        let inside = candidates.indices.filter { index in
            let node = candidates[index].node
            return node >= root && node < tree.nodes[root].end && (fromAll || !candidates[index].isBoilerplate)
        }
        return cleaned(inside.map { candidates[$0] }, inside.map { weights[$0] })
    }

    private static let weightMax = 900

    private static func weight(of candidate: Candidate) -> Int {
        let plain = min(candidate.plain, weightMax)
        switch candidate.block.kind {
        case .code: return plain
        case .table: return candidate.isMostlyLinks ? -20 : plain * 2 / 3
        case .heading: return candidate.isMostlyLinks ? -8 : 4
        case .item: return candidate.isMostlyLinks ? -12 : plain < 12 ? -1 : plain * 3 / 5
        case .paragraph, .quote, .caption:
            if candidate.isMostlyLinks { return -8 - min(candidate.linked, 60) / 5 }
            if plain < 30 { return hasSentence(candidate.block.text) ? plain / 2 : -3 }
            return hasSentence(candidate.block.text) ? plain : plain * 2 / 5
        }
    }

    private static func hasSentence(_ text: String) -> Bool {
        let marks: Set<UInt8> = [0x2E, 0x21, 0x3F]
        var previous: UInt8 = 0
        for byte in text.utf8 {
            if marks.contains(previous), byte <= 0x22 || byte == 0x27 || byte == 0x29 { return true }
            // U+3002 ends sentences in Chinese and Japanese.
            if previous == 0x80, byte == 0x82 { return true }
            previous = byte
        }
        return marks.contains(previous)
    }

    /// Returns the element with the greatest weight, or an inner element with nearly the same weight.
    private func heaviest(_ weights: [Int]) -> Int? {
        var totals = [Int](repeating: 0, count: tree.nodes.count)
        for (candidate, weight) in zip(candidates, weights) { totals[candidate.node] += weight }
        for node in tree.nodes.indices.reversed() where node > 0 {
            totals[tree.nodes[node].parent] += totals[node]
        }
        guard let largest = totals.max(), largest > 0, var best = totals.firstIndex(of: largest) else { return nil }
        while true {
            let inner = tree.children(of: best).max { totals[$0] < totals[$1] }
            guard let inner, totals[inner] * 100 >= totals[best] * 92 else { break }
            best = inner
        }
        return best
    }

    private func cleaned(_ all: [Candidate], _ weights: [Int]) -> [Candidate] {
        guard let first = weights.firstIndex(where: { $0 >= 20 }) else { return all }
        let last = weights.lastIndex { $0 >= 20 } ?? first
        let end = tree.nodes[container(of: all[last].node)].end
        let kept = all.enumerated().filter { index, candidate in
            let isHeading = candidate.block.kind == .heading
            if index < first || index > last && candidate.node >= end {
                guard isHeading && index < first || weights[index] > 0 && candidate.length >= 12 else { return false }
            }
            let isLinks = candidate.isMostlyLinks && candidate.length < 300
            return !isLinks || isHeading || candidate.block.kind == .table
        }
        return withoutEmptyHeadings(kept.map(\.element))
    }

    /// Returns the innermost element that can contain more of the same text.
    private func container(of node: Int) -> Int {
        let parts: Set<Tag> = [.p, .pre, .blockquote, .ul, .ol, .li, .dl, .dt, .dd, .table, .figure, .figcaption]
        return parts.contains(tree.nodes[node].tag) ? container(of: tree.nodes[node].parent) : node
    }

    private func withoutEmptyHeadings(_ blocks: [Candidate]) -> [Candidate] {
        var result: [Candidate] = []
        for block in blocks.reversed() {
            if block.block.kind == .heading {
                if let title, Self.letters(block.block.text) == Self.letters(title) { continue }
                guard let next = result.last else { continue }
                if next.block.kind == .heading, next.block.level <= block.block.level { continue }
            }
            result.append(block)
        }
        return result.reversed()
    }

    private static func letters(_ text: String) -> [Unicode.Scalar] {
        text.prefix(500).lowercased().unicodeScalars
            .filter { $0.properties.isAlphabetic || $0.properties.numericType != nil }
    }
}
