package import SearchModel

/// One source: everything its file declares, ready to make requests and to read answers.
package struct Source: Sendable {
    package let name: SourceName
    package let kind: Kind
    package let title: String
    /// What is to be shown beside its hits.
    package let attribution: String?
    /// Ways to sign a request, the preferred one first.
    package let access: [Access]
    /// Every secret that some way of access needs.
    package let secrets: [SecretSlot]
    /// What the account's configuration may set beside secrets.
    package let settings: [OptionSpec]
    package let options: [OptionSpec]
    package let queryRules: QueryRules
    /// True when the source takes `Cat` and `cat` for the same query.
    package let caseInsensitive: Bool
    package let paging: Paging
    /// The source's own limits.
    package let limits: Limits
    /// What all sources of the account share.
    package let accountLimits: Limits
    package let quotas: [Quota]
    /// What its hits count for beside those of sources that are good for anything, for which it is 1.
    package let weight: Double
    /// After how long a hit is half as new; nil when age does not matter.
    package let halfLife: Duration?
    /// The languages of what it finds, as `ko`; none when it finds any.
    package let languages: [String]
    package let ttl: Duration
    /// How long an empty answer keeps.
    package let negativeTTL: Duration
    /// Hosts to which a redirect may lead, without any secret.
    package let redirectHosts: [String]
    package let trust: Trust

    /// Fills the placeholder of its name in the configuration's base URL.
    let family: FamilyMember?
    let request: RequestShape
    let lookup: LookupShape?
    /// Maps the record of one item.
    let itemMapper: HitMapper?
    let sortWords: [Sort: String]
    let response: ResponseShape
    let mapper: HitMapper
    let errors: ErrorReader

    /// Reads the source's own documents that a page has kept; no secret of the account is in what it reads.
    package func hitReader(for account: AccountAccess) -> any HitReader {
        RedactingReader(mapper: mapper, redactor: account.redactor)
    }

    /// The account whose secrets and quotas it uses.
    package var account: String { name.account }

    /// The orders that the source makes itself.
    package var sorts: [Sort] { Sort.allCases.filter { sortWords[$0] != nil } }

    /// The source's word for an order, or for its own where it does not make that one; nil when none is needed.
    package func sortWord(_ sort: Sort) -> String? { Self.word(for: sort, of: sortWords) }

    /// Whether it can be used without any secret.
    package var keyless: Bool { access.contains { $0.secrets.isEmpty } }

    package var pageSize: Int { paging.size }

    /// Whether the source can have a page of this number, from 0; a call for another would be wasted.
    package func mayHave(page: Int) -> Bool {
        paging.pagesMax.map { page < $0 } ?? true
    }

    /// Whether the record of one item can be fetched.
    package var hasLookup: Bool { lookup != nil }

    /// The way of access that the configured secrets allow; nil when a secret is missing.
    package func access(with configured: some Collection<String>) -> Access? {
        access.first { $0.secrets.allSatisfy(configured.contains) }
    }

    /// The names that “searchctl keys set” needs of an account that can be used in several ways: that of the way whose
    /// key is there, in whole or in part, else all; none where there is only one way.
    package func keyWays(_ account: AccountAccess) -> [String] {
        guard access.count > 1 else { return [] }
        let ways = access.filter { !$0.secrets.isEmpty }
        guard ways.count > 1 else { return [] }
        func isThere(_ secret: String) -> Bool { account.secrets[secret] != nil }
        let used = ways.first { $0.secrets.allSatisfy(isThere) } ?? ways.first { $0.secrets.contains(where: isThere) }
        return (used.map { [$0] } ?? ways).map(\.name)
    }
}
