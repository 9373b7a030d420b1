import JSON
import RPC
import SearchModel

/// Which sources of `source/list` a command line means; pure.
struct SourceSelection {
    /// A source's, an account's or a profile's; nil for all.
    var name: String?
    var kind: String?
    var isEnabledOnly = false

    /// The entries that are meant.
    ///
    /// - Parameter result: What `source/list` answered.
    /// - Returns: Those entries, in their order.
    /// - Throws: `unknownSource` or `usage` for a name or kind that no source has, with the nearest as its hint.
    func entries(of result: JSONCursor) throws(ClientError) -> [JSONCursor] {
        var entries = result[.sources]?.elements ?? []
        if let name { entries = try named(name, entries, profiles: result[.profiles]?.elements ?? []) }
        if let kind {
            let kinds = entries.compactMap { $0[.kind]?.string }
            entries = entries.filter { Self.isSame($0[.kind]?.string, kind) }
            guard !entries.isEmpty else {
                throw ClientError(
                    .usage,
                    "no source is of the kind “\(kind)”",
                    hint: ClientError.guess(kind, among: kinds)
                        ?? "The kinds are \(Set(kinds).sorted().joined(separator: ", "))."
                )
            }
        }
        return isEnabledOnly ? entries.filter { $0[.enabled]?.bool == true } : entries
    }

    /// Whether one source is meant by its own name.
    func isOneSource(_ entries: [JSONCursor]) -> Bool {
        entries.count == 1 && name.map { Self.isSame(entries[0][.source]?.string, $0) } ?? false
    }

    /// Whether a profile is meant with a source that depends on the language of the query.
    func asksByLanguage(_ entries: [JSONCursor]) -> Bool {
        guard let name, name.utf8.first == UInt8(ascii: "@") else { return false }
        return entries.contains { Self.isSame($0[.account]?.string, "wikipedia") }
    }

    private func named(
        _ name: String,
        _ entries: [JSONCursor],
        profiles: [JSONCursor]
    ) throws(ClientError) -> [JSONCursor] {
        if let entry = entries.first(where: { Self.isSame($0[.source]?.string, name) }) { return [entry] }
        let account = entries.filter { Self.isSame($0[.account]?.string, name) }
        if !account.isEmpty { return account }
        if let profile = profiles.first(where: { Self.isSame($0[.name]?.string, name) }) {
            let members = profile[.sources]?.elements.compactMap(\.string) ?? []
            return entries.filter { entry in members.contains { Self.isSame(entry[.source]?.string, $0) } }
        }
        let names =
            entries.compactMap { $0[.source]?.string } + entries.compactMap { $0[.account]?.string }
            + profiles.compactMap { $0[.name]?.string }
        throw ClientError(
            .init(.unknownSource),
            "there is no source “\(name)”",
            hint: ClientError.guess(name, among: names)
                ?? "“searchctl sources” lists them; “searchctl sources guide” explains how to add one."
        )
    }

    /// Whether two texts are the same bytes.
    private static func isSame(_ text: String?, _ other: String) -> Bool {
        text.map { $0.utf8.elementsEqual(other.utf8) } ?? false
    }
}
