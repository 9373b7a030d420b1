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

    /// What may still happen, and what it leads to, are the same wherever these are: who the callers are does not
    /// matter.
    private struct State: Hashable {
        /// Of each call under way, whether its leader waits, how many others do, whether it is sent, whether newcomers
        /// join it; in order.
        let calls: [[Int]]
        let callers: Int
        let refreshes: Int
    }

    /// How many histories each state has before it.
    private final class Known {
        var histories: [State: Int] = [:]
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
    /// Nil where every history is visited to its end.
    private let known: Known?
    private let visit: (History) -> Void

    /// Visits all histories of up to so many callers, of whom up to so many insist on a new call; how many there are.
    static func visitAll(callers: Int, refreshes: Int, _ visit: @escaping (History) -> Void) -> Int {
        FlightHistories(known: nil, visit: visit).goOn(callers: callers, refreshes: refreshes)
    }

    /// Visits histories that take every step out of every state that there is in all histories; how many those are.
    ///
    /// A history that comes to a state where another has been ends there, by the end of its calls.
    static func visitSteps(callers: Int, refreshes: Int, _ visit: @escaping (History) -> Void) -> Int {
        FlightHistories(known: Known(), visit: visit).goOn(callers: callers, refreshes: refreshes)
    }

    /// A history in which each step is any of the possible ones.
    static func random(callers: Int, using random: inout some RandomNumberGenerator) -> History {
        var histories = FlightHistories(known: nil) { _ in }
        var callersLeft = callers
        while callersLeft == callers || !histories.isOver {
            guard
                let event = histories.events(callers: callersLeft, refreshes: callersLeft).randomElement(using: &random)
            else { break }
            if case .join = event { callersLeft -= 1 }
            histories.play(event)
        }
        return histories.history
    }

    private init(known: Known?, visit: @escaping (History) -> Void) {
        self.known = known
        self.visit = visit
    }

    private func goOn(callers: Int, refreshes: Int) -> Int {
        if isOver {
            visit(history)
            return 1
        }
        let state = state(callers: callers, refreshes: refreshes)
        if let count = known?.histories[state] {
            var ended = self
            for number in calls.indices where !calls[number].isOver { ended.play(.finish(call: number)) }
            visit(ended.history)
            return count
        }
        let count = events(callers: callers, refreshes: refreshes).reduce(0) { count, event in
            var copy = self
            copy.play(event)
            guard case .join(let refresh) = event else {
                return count + copy.goOn(callers: callers, refreshes: refreshes)
            }
            return count + copy.goOn(callers: callers - 1, refreshes: refreshes - (refresh ? 1 : 0))
        }
        known?.histories[state] = count
        return count
    }

    private var isOver: Bool { !calls.isEmpty && calls.allSatisfy(\.isOver) }

    private func state(callers: Int, refreshes: Int) -> State {
        let open = calls.indices.filter { !calls[$0].isOver }.map { number in
            let (call, leads) = (calls[number], calls[number].waiters.contains(calls[number].leader))
            let others = call.waiters.count - (leads ? 1 : 0)
            return [leads ? 1 : 0, others, call.isSent ? 1 : 0, number == current ? 1 : 0]
        }
        return State(
            calls: open.sorted { $0.lexicographicallyPrecedes($1) },
            callers: callers,
            refreshes: refreshes
        )
    }

    /// What may happen next.
    private func events(callers: Int, refreshes: Int) -> [Event] {
        var events: [Event] = []
        for refresh in [false, true] where callers > 0 && (!refresh || refreshes > 0) {
            events.append(.join(refresh: refresh))
        }
        for (number, call) in calls.enumerated() where !call.isOver {
            let follower = call.waiters.last { $0 != call.leader }
            for caller in [call.waiters.first { $0 == call.leader }, follower].compactMap({ $0 }) {
                events.append(.leave(caller: caller))
            }
            if !call.isSent { events.append(.send(call: number)) }
            events.append(.finish(call: number))
        }
        return events
    }

    private var step: Int { history.events.count - 1 }

    private mutating func play(_ event: Event) {
        history.events.append(event)
        switch event {
        case .join(let refresh): join(refresh: refresh)
        case .leave(let caller):
            if let number = calls.firstIndex(where: { $0.waiters.contains(caller) }) { leave(caller, number) }
        case .send(let number): calls[number].isSent = true
        case .finish(let number): finish(number)
        }
    }

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
