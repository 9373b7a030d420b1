/// A timer set on a loop.
package struct Timer: Hashable, Sendable {
    let id: TimerHeap<@Sendable () -> Void>.ID

    init(id: TimerHeap<@Sendable () -> Void>.ID) {
        self.id = id
    }
}
