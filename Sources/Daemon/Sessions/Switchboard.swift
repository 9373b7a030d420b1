import Engine
import EventLoop
import Glibc
import JSON
import RPC
import SearchModel

/// Every connection of the daemon: reads lines, answers what needs no waiting within the same turn, gives the rest to
/// tasks, and writes what they answer.
///
/// Each request gets exactly one answer: it is in its connection's `inFlight` until the answer is handed to the outbox,
/// and whoever takes it out of there (its task, a cancellation, the end of the daemon) is the one who answers.
actor Switchboard: LoopActor {
    /// The memory of answers kept under their parameters.
    static let finishedAnswersBytesMax = 4 << 20
    /// How long one connection may be served in one turn before the others have theirs.
    static let servingMax = Duration.milliseconds(1)

    nonisolated let loop: EventLoop
    let methods: MethodTable
    let facts: ServerFacts
    /// Asks the engine for its figures; on the loop.
    let engineFigures: @Sendable () -> EngineFigures
    let log: Log

    var connections: [UInt64: Connection] = [:]
    /// Takes connections in; nil until it listens.
    var acceptor: Acceptor?
    var idleConnections = IdleConnections()
    var memory = MemoryBudget()
    var work = WorkQueue<RequestStream>()
    /// Connections that go on being served, in this order, one in a turn of the loop.
    var dueToServe: [UInt64] = []
    /// Connections that are held back until others hold less.
    var heldBack: Set<UInt64> = []
    var memoryTimer: Timer?
    var memoryPeak = MemoryPeak()
    /// Gives what the allocator keeps free back to the system.
    var releaseFreeMemory: @Sendable () -> Void = {}
    var counters = Counters()
    var finishedAnswers: FinishedAnswers
    var envelopes = EnvelopeReader()
    let readBuffer = ReadBuffer()
    /// Answers of the turn under way, for the connection it serves.
    var scratch: [UInt8] = []
    var nextNumber: UInt64 = 0
    var isDraining = false
    var drained: CheckedContinuation<Void, Never>?
    /// Since when nobody has been connected; nil while somebody is.
    var emptySince: Instant?
    var permissions: Permissions

    init(
        on loop: EventLoop,
        methods: MethodTable,
        facts: ServerFacts,
        engineFigures: @escaping @Sendable () -> EngineFigures,
        log: Log,
        hashSeed: UInt64,
        repeatedUses: RepeatedUses
    ) {
        self.loop = loop
        self.methods = methods
        self.facts = facts
        self.engineFigures = engineFigures
        self.log = log
        emptySince = loop.now
        permissions = Permissions(userID: facts.userID, tellsUsersApart: UserMap.tellsUsersApart)
        finishedAnswers = FinishedAnswers(bytesMax: Self.finishedAnswersBytesMax, seed: hashSeed, uses: repeatedUses)
    }

    /// What was answered before was made of what is no longer in force.
    func forgetFinishedAnswers() {
        finishedAnswers.removeAll()
    }

    func takeNumber() -> UInt64 {
        nextNumber += 1
        return nextNumber
    }
}
