import Catalogue
import Engine
import SearchModel

/// How the daemon is doing, in the one line that `systemctl status` shows; pure.
enum StatusLine {
    /// More are counted and not named.
    private static let namesMax = 3

    static func text(_ directory: SourceDirectory, health: [SourceName: SourceHealth]) -> String {
        let ready = directory.all.filter { $0.unavailable == nil }.map(\.source.name)
        let failing = ready.filter { health[$0]?.failingSince != nil }
        var parts = ["serving \(ready.count) source\(ready.count == 1 ? "" : "s")"]
        if !failing.isEmpty {
            let more = failing.count > namesMax ? " and \(failing.count - namesMax) more" : ""
            let names = failing.prefix(namesMax).map(\.text).joined(separator: ", ")
            parts.append("\(names)\(more) fail\(failing.count == 1 ? "s" : "")")
        }
        if !directory.refused.isEmpty { parts.append("\(directory.refused.count) with a wrong file") }
        return parts.joined(separator: "; ")
    }
}
