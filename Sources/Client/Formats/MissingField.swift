import JSON
import RPC
import SearchModel

/// What is wrong with `--field`; pure.
enum MissingField {
    /// What is looked at to learn which members hits have.
    private static let hitsMax = 100
    /// The members of a hit and of a saved item, as the contract has them.
    private static let members: [Member] = [
        .id, .source, .kind, .title, .snippet, .marks, .url, .author, .published, .publishedPrecision, .thumbnail,
        .rank, .extra, .alsoFrom, .raw, .saved, .savedAt, .updatedAt, .tags, .notes, .changes,
    ]

    /// The error of a member that no hit can have; nil when there is none.
    static func refusal(_ format: HitFormat) -> ClientError? {
        guard case .lines(.fields(let paths)) = format else { return nil }
        let names = members.map(\.description)
        for path in paths {
            let first = String(path.prefix { $0 != "." })
            if !names.contains(first) { return error("hits have no member “\(path)”", path, among: names) }
        }
        return nil
    }

    /// What to tell of a member that none of the hits has: a warning, or an error when it looks mistyped.
    static func finding(_ format: HitFormat, _ hits: [JSONCursor]) -> (error: ClientError, isMistyped: Bool)? {
        guard case .lines(.fields(let paths)) = format, !hits.isEmpty,
            let path = paths.first(where: { path in hits.allSatisfy { LineFormat.member(path, of: $0) == nil } })
        else { return nil }
        let names = names(of: hits.prefix(hitsMax))
        let isMistyped = path.contains(".") && NearestName.of(path, among: names) != nil
        return (error("no hit has “\(path)”", path, among: names), isMistyped)
    }

    /// Reports a member that none of the hits has.
    ///
    /// - Throws: `usage` when it looks mistyped.
    static func tell(_ format: HitFormat, _ hits: [JSONCursor], report: (String) -> Void) throws(ClientError) {
        guard let missing = finding(format, hits) else { return }
        if missing.isMistyped { throw missing.error }
        report(FailureText.line(missing.error))
    }

    private static func error(_ message: String, _ path: String, among names: [String]) -> ClientError {
        ClientError(
            .usage,
            message,
            hint: ClientError.guess(path, among: names) ?? "What hits have: \(names.joined(separator: ", "))"
        )
    }

    /// The members, and the members of members, in the order in which they come.
    private static func names(of hits: ArraySlice<JSONCursor>) -> [String] {
        var names: [String] = []
        for hit in hits {
            for member in hit.members {
                let inner = member.value.members.map { "\(member.name).\($0.name)" }
                for name in [member.name] + inner where !names.contains(name) { names.append(name) }
            }
        }
        return names
    }
}
