import JSON
import RPC
import SearchModel

/// The daemon's figures for people, one a line; figures of a newer daemon are shown too; pure.
enum StatusText {
    /// More lines than a screen has; the rest is for `--json`.
    static let linesMax = 200

    static func lines(hello: JSONCursor, stats: JSONCursor) -> [String] {
        var head = "searchd \(hello[.version]?.string ?? "of unknown version") is running"
        if let process = hello[.pid]?.int { head += ", process \(process)" }
        if let uptime = stats[.uptime]?.double { head += ", up \(FigureText.time(milliseconds: uptime * 1000))" }
        return [VisibleText.visible(head)] + rows(stats).map { "  " + $0 }
    }

    /// All figures of an object, those within others by their whole names.
    static func rows(_ object: JSONCursor) -> [String] {
        var figures: [(name: String, text: String)] = []
        collect(object, name: "", into: &figures)
        return DisplayWidth.table(Array(figures.prefix(linesMax)))
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
        case .array: figures.append((VisibleText.visible(name), "\(FigureText.grouped(value.count)) of them"))
        case .null: break
        default:
            let text =
                value.int.map(FigureText.grouped) ?? value.string ?? String(decoding: value.text, as: UTF8.self)
            figures.append((VisibleText.visible(name), VisibleText.visible(text)))
        }
    }
}
