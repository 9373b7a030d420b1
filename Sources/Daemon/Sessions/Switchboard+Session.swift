import Engine
import EventLoop
import JSON
import SearchModel

extension Switchboard {
    var figures: DaemonFigures {
        let clients = ClientActivity.all(of: connections.values, at: loop.now)
        return DaemonFigures(
            version: facts.version,
            uptime: facts.startedAt.duration(to: loop.now),
            counters: counters,
            connections: .init(
                open: connections.count,
                clients: clients.count,
                inFlight: clients.reduce(0) { $0 + $1.requests }
            ),
            clients: clients,
            engine: engineFigures(),
            memory: .init(
                resident: ProcessMemory.resident(),
                held: memory.bytesUsed,
                heldMax: memory.bytesMax,
                finishedAnswers: finishedAnswers.bytesUsed
            ),
            loop: loop.figures
        )
    }
}
