import JSON
import RPC
import SearchModel

/// The daemon's figures for people, one a line; figures of a newer daemon are shown too; pure.
struct StatusText {
    /// More lines than a screen has; the rest is for `--json`.
    static let linesMax = 200

    let layout: Layout

    func lines(hello: JSONCursor, stats: JSONCursor) -> [String] {
        var head = "searchd \(hello[.version]?.string ?? "of unknown version") is running"
        if let process = hello[.pid]?.int { head += ", process \(process)" }
        if let uptime = stats[.uptime]?.double { head += ", up \(FigureText.time(milliseconds: uptime * 1000))" }
        return layout.lines(VisibleText.visible(head), indent: 2) + rows(stats, indent: 2)
    }

    /// All figures of an object, those within others by their whole names.
    func rows(_ object: JSONCursor, indent: Int = 0) -> [String] {
        var figures: [(name: String, text: String)] = []
        Self.collect(object, name: "", into: &figures)
        return layout.table(Array(figures.prefix(Self.linesMax)), indent: indent)
    }

    private static func collect(
        _ value: JSONCursor,
        name: String,
        into figures: inout [(name: String, text: String)]
    ) {
        switch value.kind {
        case .object:
            value.forEachMember { member, value in
                if name.isEmpty, member == Member.uptime.description { return }
                collect(value, name: name.isEmpty ? member : "\(name).\(member)", into: &figures)
            }
        case .array: figures.append((VisibleText.visible(name), FigureText.count(value.count, "element")))
        case .null: break
        default:
            let text =
                value.int.map(FigureText.grouped) ?? value.string ?? String(decoding: value.text, as: UTF8.self)
            figures.append((VisibleText.visible(name), VisibleText.visible(text)))
        }
    }
}
