import EventLoop
import SearchModel
import TestSupport

@testable import Upstream

func client(_ number: Int, user: UInt32 = 1000) -> ClientIdentity {
    ClientIdentity(userID: user, program: "client \(number)")
}

func claim(_ number: Int, user: UInt32 = 1000, _ priority: Priority = .interactive) -> CallDemand.Claim {
    CallDemand.Claim(client: client(number, user: user), priority: priority)
}

/// A source with limits, simulated: clients ask, a queue decides, calls take their time.
struct ThrottledSource {
    /// What a client does.
    enum Habit {
        /// As many calls as this wait at any time.
        case floods(waiting: Int)
        /// A call now and then, on average so often.
        case asks(every: Duration)
    }

    struct Client {
        let habit: Habit
        let priority: Priority
        /// How long each of its calls waited, in nanoseconds, in the order they began.
        var waits: [Int64] = []
        var begunAt: [Int64] = []

        func wait(atPercentile percentile: Int) -> Duration {
            let sorted = waits.sorted()
            return .nanoseconds(sorted[(sorted.count - 1) * percentile / 100])
        }

        /// The longest it went without a call's beginning.
        var longestGap: Duration {
            .nanoseconds(zip(begunAt, begunAt.dropFirst()).map { $1 - $0 }.max() ?? .max)
        }
    }

    private enum Event {
        case arrives(Int)
        case passes(FairQueue.CallID)
        case ends(FairQueue.CallID)
    }

    private(set) var clients: [Client] = []
    private var queue = FairQueue()
    private let slots: Int
    private var random: SeededGenerator
    /// The least and the most a call takes.
    private let callTime: ClosedRange<Int64>
    /// The source's limits let a call through so often.
    private let interval: Int64
    private var opensAt: Int64 = 0
    private var now: Int64 = 0
    private var events: [(time: Int64, event: Event)] = []
    private var askers: [FairQueue.CallID: (client: Int, at: Int64)] = [:]

    init(slots: Int, callTime: ClosedRange<Duration>, interval: Duration = .zero, seed: UInt64) {
        self.slots = slots
        random = SeededGenerator(seed: seed)
        self.callTime = callTime.lowerBound.saturatingNanoseconds...callTime.upperBound.saturatingNanoseconds
        self.interval = interval.saturatingNanoseconds
    }

    mutating func add(_ habit: Habit, _ priority: Priority = .interactive, count: Int = 1) {
        for _ in 0..<count {
            clients.append(Client(habit: habit, priority: priority))
            let number = clients.count - 1
            switch habit {
            case .floods(let waiting): for _ in 0..<waiting { plan(.arrives(number), in: 0) }
            case .asks(let mean): planNext(of: number, mean)
            }
        }
    }

    /// Goes on until a client has had so many calls begun.
    mutating func run(until number: Int, hasBegun count: Int) {
        while clients[number].waits.count < count, let (time, event) = events.popLast() {
            now = time
            handle(event)
            startAll()
        }
    }

    /// Goes on for a while, of which nothing is remembered: nobody has had more than others at the beginning.
    mutating func warmUp(for duration: Duration) {
        let end = now + duration.saturatingNanoseconds
        while let (time, event) = events.last, time <= end {
            events.removeLast()
            now = time
            handle(event)
            startAll()
        }
        for number in clients.indices {
            clients[number].waits = []
            clients[number].begunAt = []
        }
    }

    private mutating func handle(_ event: Event) {
        let instant = Instant(nanoseconds: now)
        switch event {
        case .arrives(let number):
            if case .asks(let mean) = clients[number].habit { planNext(of: number, mean) }
            askers[queue.arrived([claim(number, clients[number].priority)])] = (number, now)
        case .passes(let call):
            queue.passed(call, at: instant)
            plan(.ends(call), in: Int64.random(in: callTime, using: &random))
        case .ends(let call): queue.ended(call, at: instant)
        }
    }

    private mutating func startAll() {
        while let call = queue.next(slots: slots) {
            guard let asker = askers.removeValue(forKey: call) else { preconditionFailure("a call nobody asked for") }
            clients[asker.client].waits.append(now - asker.at)
            clients[asker.client].begunAt.append(now)
            if case .floods = clients[asker.client].habit { plan(.arrives(asker.client), in: 0) }
            let passesAt = max(now, opensAt)
            opensAt = passesAt + interval
            plan(.passes(call), in: passesAt - now)
        }
    }

    private mutating func planNext(of number: Int, _ mean: Duration) {
        // Independent of one another: the time between two has an exponential distribution.
        let uniform = Double.random(in: 0.000001..<1, using: &random)
        plan(.arrives(number), in: Int64(Double(mean.saturatingNanoseconds) * -Self.logarithm(uniform)))
    }

    /// The natural logarithm, by the series of the inverse hyperbolic tangent.
    private static func logarithm(_ value: Double) -> Double {
        let significand = value.significand
        let ratio = (significand - 1) / (significand + 1)
        let series = stride(from: 1, through: 41, by: 2).reduce((sum: 0.0, power: ratio)) { state, term in
            (state.sum + state.power / Double(term), state.power * ratio * ratio)
        }
        return 2 * series.sum + Double(value.exponent) * 0.6931471805599453
    }

    /// Events of one time happen in the order they were planned.
    private mutating func plan(_ event: Event, in nanoseconds: Int64) {
        let time = now + nanoseconds
        // The latest come first, of equal times the one planned last.
        var (low, high) = (0, events.count)
        while low < high {
            let middle = (low + high) / 2
            if events[middle].time > time { low = middle + 1 } else { high = middle }
        }
        events.insert((time, event), at: low)
    }
}
