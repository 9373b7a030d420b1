import JSON

/// What to tell of a member that none of the hits has, since its name may be mistyped; pure.
enum MissingField {
    /// What is looked at to learn which members hits have.
    private static let hitsMax = 100

    /// Nil when some hit has the member, or there are no hits.
    static func warning(_ format: HitFormat, _ hits: [JSONCursor]) -> ClientError? {
        guard case .lines(.field(let path)) = format, !hits.isEmpty,
            hits.allSatisfy({ LineFormat.member(path, of: $0) == nil })
        else { return nil }
        let names = names(of: hits.prefix(hitsMax))
        return ClientError(
            .usage,
            "no hit has “\(path)”",
            hint: NearestWord.nearest(to: path, among: names).map { "Did you mean “\($0)”?" }
                ?? "What they have: \(names.joined(separator: ", "))"
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
