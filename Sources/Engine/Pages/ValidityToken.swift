import Synchronization

/// Says whether what was built from something may still be used, and whether it has been; ended once, from any thread.
package final class ValidityToken: Sendable {
    private let ended = Atomic(false)
    private let used = Atomic(false)
    /// Who has used it; see `Users`.
    private let users = Atomic(Users.none)

    package init() {}

    package var isEnded: Bool { ended.load(ordering: .relaxed) }

    package func end() {
        ended.store(true, ordering: .relaxed)
    }

    /// Notes a use, which is the whole cost of a hit; false when it has ended.
    @discardableResult
    package func use() -> Bool {
        if isEnded { return false }
        // Read first: the mark is mostly there already, and a store would take the line from other readers.
        if !used.load(ordering: .relaxed) { used.store(true, ordering: .relaxed) }
        return true
    }

    /// Notes a user's use, as `use` does; false when it has ended.
    @discardableResult
    package func use(by userID: UInt32) -> Bool {
        note(user: userID)
        return use()
    }

    /// Notes who is given what was built; on the loop, so that no two users are noted at once.
    package func note(user userID: UInt32) {
        let user = Users.one(userID)
        let known = users.load(ordering: .relaxed)
        if known != user, known != Users.several {
            users.store(known == Users.none ? user : Users.several, ordering: .relaxed)
        }
    }

    /// Counts as used by whom another has been used.
    func takeUsers(of other: ValidityToken) {
        users.store(other.users.load(ordering: .relaxed), ordering: .relaxed)
    }

    /// Whether no other user has used it.
    func isOnly(of userID: UInt32) -> Bool {
        let known = users.load(ordering: .relaxed)
        return known == Users.none || known == Users.one(userID)
    }

    /// Who has used something: no user, one, or several.
    private enum Users {
        static let none = UInt64.max
        static let several = UInt64.max - 1

        static func one(_ userID: UInt32) -> UInt64 { UInt64(userID) }
    }

    /// Whether it was used since this was last asked.
    package func takeUse() -> Bool {
        used.exchange(false, ordering: .relaxed)
    }
}
