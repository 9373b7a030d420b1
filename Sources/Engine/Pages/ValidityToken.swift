/// Records whether a cached page or merged list (`Walk`) is still valid, and whether it was used.
///
/// It is used only on the loop. It is Sendable because pages and answers keep references.
package final class ValidityToken: @unchecked Sendable {
    package private(set) var isEnded = false
    private var isUsed = false

    func end() {
        isEnded = true
    }

    /// Records a use; returns false if the page or list is no longer valid.
    @discardableResult
    func use() -> Bool {
        isUsed = true
        return !isEnded
    }

    /// Returns whether the page or list was used since the previous call.
    func takeUse() -> Bool {
        defer { isUsed = false }
        return isUsed
    }
}
