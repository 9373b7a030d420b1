/// Tells the holders of a cached page or walk whether it is still valid, and records whether it was used.
///
/// A page or a walk owns the token. The answers that were built from it hold the token, too.
///
/// `@unchecked Sendable`, because pages and answers hold it: confined to the loop.
package final class ValidityToken: @unchecked Sendable {
    package private(set) var isEnded = false
    private var isUsed = false

    func end() {
        isEnded = true
    }

    /// Marks a use; false if it is no longer valid.
    @discardableResult
    func use() -> Bool {
        isUsed = true
        return !isEnded
    }

    /// Whether it was used since the last call.
    func takeUse() -> Bool {
        defer { isUsed = false }
        return isUsed
    }
}
