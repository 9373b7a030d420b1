/// Every order in which callers of one key may come and go while their calls go out and end, and what must come of it.
///
/// Of several followers of a call who wait, any one stands for all. A history ends when all is quiet: whoever came then
/// would find everything as the first one did.
struct FlightHistories {
    enum Event {
        case join(refresh: Bool)
        case leave(caller: Int)
        case send(call: Int)
        case finish(call: Int)
    }

    /// What a caller ends with, at which step.
    enum Ending: Equatable {
        case left(step: Int)
        case answered(call: Int, step: Int)
    }

    struct History {
        var events: [Event] = []
        /// By caller.
        var endings: [Ending?] = []
        /// By call: whether all had left it before it was sent.
        var abandoned: [Bool] = []
    }

    private struct Call {
        let leader: Int
        var waiters: [Int]
        var isSent = false
        var isOver = false
    }

    private var calls: [Call] = []
    private var current: Int?
    private var history = History()
    private let visit: (History) -> Void

    /// Visits all histories of up to so many callers, of whom up to so many insist on a new call.
    static func visitAll(callers: Int, refreshes: Int, _ visit: @escaping (History) -> Void) {
        FlightHistories(visit: visit).goOn(callers: callers, refreshes: refreshes)
    }

    private init(visit: @escaping (History) -> Void) {
        self.visit = visit
    }

    private func goOn(callers: Int, refreshes: Int) {
        if !calls.isEmpty, calls.allSatisfy(\.isOver) { return visit(history) }
        func branch(callers: Int, refreshes: Int, _ event: Event, _ change: (inout FlightHistories) -> Void) {
            var copy = self
            copy.history.events.append(event)
            change(&copy)
            copy.goOn(callers: callers, refreshes: refreshes)
        }
        for refresh in [false, true] where callers > 0 && (!refresh || refreshes > 0) {
            branch(callers: callers - 1, refreshes: refreshes - (refresh ? 1 : 0), .join(refresh: refresh)) {
                $0.join(refresh: refresh)
            }
        }
        for (number, call) in calls.enumerated() where !call.isOver {
            let follower = call.waiters.last { $0 != call.leader }
            for caller in [call.waiters.first { $0 == call.leader }, follower].compactMap({ $0 }) {
                branch(callers: callers, refreshes: refreshes, .leave(caller: caller)) { $0.leave(caller, number) }
            }
            if !call.isSent {
                branch(callers: callers, refreshes: refreshes, .send(call: number)) { $0.calls[number].isSent = true }
            }
            branch(callers: callers, refreshes: refreshes, .finish(call: number)) { $0.finish(number) }
        }
    }

    private var step: Int { history.events.count - 1 }

    private mutating func join(refresh: Bool) {
        let caller = history.endings.count
        history.endings.append(nil)
        if let current, !calls[current].isOver, !refresh || !calls[current].isSent {
            calls[current].waiters.append(caller)
        } else {
            current = calls.count
            calls.append(Call(leader: caller, waiters: [caller]))
            history.abandoned.append(false)
        }
    }

    private mutating func leave(_ caller: Int, _ number: Int) {
        calls[number].waiters.removeAll { $0 == caller }
        history.endings[caller] = .left(step: step)
        if calls[number].waiters.isEmpty, !calls[number].isSent {
            calls[number].isOver = true
            history.abandoned[number] = true
        }
    }

    private mutating func finish(_ number: Int) {
        for caller in calls[number].waiters { history.endings[caller] = .answered(call: number, step: step) }
        calls[number].waiters = []
        calls[number].isOver = true
    }
}
