import EventLoop

/// Everything the daemon counts, at one moment: what `server/stats` and `server/metrics` tell.
struct DaemonFigures {
    struct Connections {
        var open = 0
        /// Programs that have them.
        var clients = 0
        /// Requests that tasks are working on.
        var inFlight = 0
    }

    struct Memory {
        var resident = 0
        /// What connections hold together, and may hold.
        var held = 0
        var heldMax = 0
        /// Answers kept under the bytes of their requests.
        var finishedAnswers = 0
    }

    var version: String
    var uptime: Duration
    var counters: Counters
    var connections = Connections()
    /// The busiest first.
    var clients: [ClientActivity] = []
    var engine: EngineFigures
    var memory = Memory()
    var loop: LoopFigures
}
