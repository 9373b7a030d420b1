import JSON
import RPC
import SearchModel

/// What keeps quotas from being counted exactly; pure, and safe on a terminal.
struct LedgerTrouble: Equatable {
    let text: String
    let remedy: String

    /// - Parameters:
    ///   - stats: The daemon's figures.
    ///   - sources: The entries of `source/list`.
    /// - Returns: Why calls can't be counted now, before the quotas whose ledger was damaged.
    static func all(in stats: JSONCursor?, _ sources: [JSONCursor]) -> [LedgerTrouble] {
        let failure = stats?[.ledger].map { ledger in
            LedgerTrouble(
                text: VisibleText.visible(ledger[.message]?.string ?? "calls can't be counted"),
                remedy: VisibleText.visible(ledger[.hint]?.string ?? "“searchctl logs” may tell more.")
            )
        }
        var guesses: [LedgerTrouble] = []
        for quota in sources.flatMap({ $0[.quota]?.elements ?? [] }) where quota[.estimated]?.bool == true {
            let name = VisibleText.visible(quota[.name]?.string ?? "?")
            let text = "the quota ledger was damaged: nobody knows what is used of \(name)"
            let trouble = LedgerTrouble(text: text, remedy: "Set it with “sudo searchctl quota \(name) USED”.")
            if !guesses.contains(trouble) { guesses.append(trouble) }
        }
        return [failure].compactMap(\.self) + guesses
    }
}
