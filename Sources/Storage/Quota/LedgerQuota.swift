/// A quota as the ledger counts it.
package struct LedgerQuota: Sendable {
    /// Who is counted, as `kakao`.
    package let account: String
    /// Which of the account's quotas; quotas of single sources must have the source in it.
    package let name: String
    package let limit: Int
    /// The period that holds an instant, both in seconds since 1970: the source's own calendar.
    package let period: @Sendable (Int64) -> Range<Int64>

    package init(account: String, name: String, limit: Int, period: @escaping @Sendable (Int64) -> Range<Int64>) {
        self.account = account
        self.name = name
        self.limit = limit
        self.period = period
    }
}
