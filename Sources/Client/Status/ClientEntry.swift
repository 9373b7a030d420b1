import JSON
import RPC
import SearchModel

/// A client of `server/stats`, and what it is doing, in words; pure, and safe on a terminal.
struct ClientEntry {
    /// Who it is: the program as it announced itself or as the system knows it, its process, its user.
    let name: String
    let text: String
    let isWorking: Bool

    init(_ client: JSONCursor) {
        let process = client[.pid]?.int.map(String.init) ?? "?"
        let who = client[.program]?.string.map { "\($0), process \(process)" } ?? "process \(process)"
        name = VisibleText.visible(client[.uid]?.int.map { "\(who), user \($0)" } ?? who)
        let doing = (client[.doing]?.elements ?? []).map(Self.work)
        isWorking = !doing.isEmpty
        var parts = [doing.isEmpty ? "idle" : doing.joined(separator: ", ")]
        for (member, noun, least) in [
            (Member.connections, "connection", 2), (.streams, "stream", 1), (.channels, "channel", 1),
        ] {
            guard let count = client[member]?.int, count >= least else { continue }
            parts.append(FigureText.count(count, noun))
        }
        text = VisibleText.visible(parts.joined(separator: "; "))
    }

    static func all(in stats: JSONCursor) -> [ClientEntry] { (stats[.clients]?.elements ?? []).map(ClientEntry.init) }

    /// `search for 812 ms`, `3 search for 2.5 s`.
    private static func work(_ work: JSONCursor) -> String {
        let count = work[.count]?.int ?? 1
        let method = work[.method]?.string ?? "?"
        let age = work[.age]?.double.map { " for \(FigureText.time(milliseconds: $0))" } ?? ""
        return (count > 1 ? "\(FigureText.grouped(count)) " : "") + method + age
    }
}
