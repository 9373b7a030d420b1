import JSON
import SearchModel

/// Every member of a hit for people, one below the other; members of a newer daemon too; pure.
struct HitDetails {
    private static let nameColumnsMax = 16
    private static let linesMax = 40
    /// What comes first, in this order; what is not for people is left out.
    private static let order: [Member] = [.title, .source, .alsoFrom, .author, .published, .url, .snippet]
    private static let unshown: [Member] = order + [.marks, .rank, .kind, .publishedPrecision]

    let columns: Int
    let style: Style
    let zone: LocalZone

    func text(_ hit: JSONCursor) -> String {
        var rows: [(name: String, value: String)] = []
        for member in Self.order {
            guard let value = hit[member] else { continue }
            let published = member == .published ? FoundHit(hit).published?.text(in: zone) : nil
            rows.append((member.description, published ?? Self.words(value)))
        }
        let others = Set(hit.members.map(\.name)).subtracting(Self.unshown.map(\.description))
        for (name, value) in hit.members where others.contains(name) {
            if value.kind == .object, name != Member.raw.description {
                for (inner, value) in value.members { rows.append((inner, Self.words(value))) }
            } else {
                rows.append((name, Self.words(value)))
            }
        }
        return lines(rows).joined()
    }

    private func lines(_ rows: [(name: String, value: String)]) -> [String] {
        let names = rows.map { VisibleText.visible($0.name) }
        let width = min(Self.nameColumnsMax, names.map(DisplayWidth.columns(of:)).max() ?? 0)
        return zip(names, rows).flatMap { name, row -> [String] in
            let margin = String(repeating: " ", count: width + 2)
            // An address is there to be copied: it is never broken.
            let isAddress = row.value.hasPrefix("http")
            let parts =
                isAddress
                ? [style.link(VisibleText.visible(ReadableAddress.text(row.value)), to: row.value, id: 1)]
                : LineWrap.lines(Cell.cells(row.value), columns: columns - width - 2, linesMax: Self.linesMax)
                    .map { $0.map(\.text).joined() }
            return parts.enumerated().map { index, part in
                (index == 0 ? style.dim(DisplayWidth.padded(name, width)) + "  " : margin) + part + "\n"
            }
        }
    }

    /// A value in words: lists with commas, the rest as it is written.
    private static func words(_ value: JSONCursor) -> String {
        if value.kind == .array { return value.elements.map(words).joined(separator: ", ") }
        return value.string ?? String(decoding: value.text, as: UTF8.self)
    }
}
