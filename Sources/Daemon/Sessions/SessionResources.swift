import Engine
import EventLoop
import Glibc

/// What the sessions of one daemon share.
///
/// `@unchecked Sendable` so that methods may be given its figures: confined to the loop.
final class SessionResources: @unchecked Sendable {
    let loop: EventLoop
    let log: Log
    let counters = Counters()
    let table: SessionTable
    let memory: SessionMemory
    let turns: FairTurns
    let readyAnswers: ReadyAnswers
    let readBuffer = ReadBuffer()
    /// Answers of the turn under way, for the session that it serves.
    var scratch: [UInt8] = []
    /// Nothing new is taken in, and each session ends as soon as nothing is owed to its client.
    var isDraining = false

    init(on loop: EventLoop, log: Log, repeatedUses: RepeatedUses) {
        self.loop = loop
        self.log = log
        table = SessionTable(on: loop, log, counters)
        memory = SessionMemory(on: loop, log, table)
        turns = FairTurns(on: loop)
        readyAnswers = ReadyAnswers(counters, uses: repeatedUses)
    }

    /// The figures of the daemon, with those of the engine; on the loop.
    func figures(of server: ServerFacts, _ engine: EngineFigures) -> DaemonFigures {
        let clients = ClientActivity.all(of: table.all, at: loop.now)
        return DaemonFigures(
            version: server.version,
            uptime: server.startedAt.duration(to: loop.now),
            counters: counters,
            connections: .init(
                open: table.count,
                clients: clients.count,
                inFlight: clients.reduce(0) { $0 + $1.requests }
            ),
            clients: clients,
            engine: engine,
            memory: .init(
                resident: Self.residentBytes,
                held: memory.budget.bytesUsed,
                heldMax: memory.budget.bytesMax,
                finishedAnswers: readyAnswers.bytesUsed
            ),
            loop: loop.figures
        )
    }

    /// The resident set of this process; 0 when /proc can't be read.
    private static var residentBytes: Int {
        guard let file = try? SmallFile.read("/proc/self/statm", bytesMax: 128) else { return 0 }
        let fields = String(decoding: file.bytes, as: UTF8.self).split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { return 0 }
        return pages * Int(getpagesize())
    }
}

/// The buffer that every session is read into, in turn; it lives as long as the daemon.
@safe final class ReadBuffer {
    static let bytes = 64 << 10

    /// Freed in deinit; only sessions, on their loop, read or fill it.
    let memory: UnsafeMutableRawBufferPointer

    init() {
        unsafe memory = .allocate(byteCount: Self.bytes, alignment: 16)
    }

    deinit {
        unsafe memory.deallocate()
    }
}
