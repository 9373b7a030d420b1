import Engine
import JSON
import RPC
import SearchModel

/// Reads the parameter `filter` of a search.
extension Parameters {
    /// Returns nil if the filter would keep all hits.
    mutating func filter() throws(SearchError) -> HitFilter? {
        guard let object = try object(.filter) else { return nil }
        var members = try Parameters(object, path: "params.filter")
        var filter = HitFilter()
        filter.site = try members.site()
        filter.since = try members.bound(.since)
        filter.until = try members.bound(.until)
        filter.has = try members.hitMembers()
        try members.finish()
        if let since = filter.since, let until = filter.until, since.begin >= until.end {
            throw Self.invalid("params.filter.until", "is before \"since\"", hint: "Swap \"since\" and \"until\".")
        }
        return filter.isEmpty ? nil : filter
    }

    private mutating func site() throws(SearchError) -> Site? {
        guard let text = try string(.site) else { return nil }
        if let site = Site(text) { return site }
        throw Self.wrong(text, .site, "a host such as example.org, without scheme, port, path or asterisk")
    }

    private mutating func bound(_ name: Member) throws(SearchError) -> DateBound? {
        guard let text = try string(name) else { return nil }
        if let bound = DateBound(text) { return bound }
        let form = "a date such as 2024, 2024-03 or 2024-03-09, or a time such as 2024-03-09T11:51:51+09:00"
        throw Self.wrong(text, name, form)
    }

    private static func wrong(_ text: String, _ name: Member, _ form: String) -> SearchError {
        invalid("params.filter.\(name)", "\"\(text)\" is not \(form)", hint: "Give \(form).")
    }

    private mutating func hitMembers() throws(SearchError) -> [HitMember] {
        var members: [HitMember] = []
        for (index, text) in (try strings(.has, countMax: WireBounds.filterMembersMax) ?? []).enumerated() {
            guard let member = HitMember(text) else {
                let names = HitMember.own.map(\.description)
                throw Self.invalid(
                    "params.filter.has[\(index)]",
                    "\"\(text)\" is not a member of a hit",
                    hint: NearestName.of(text, among: names).map(NearestName.question)
                        ?? "Give any of \(names.joined(separator: ", ")), or a member of extra such as extra.price."
                )
            }
            members.append(member)
        }
        return members
    }
}
