import CPlatform
import EventLoop

/// The processors of servers and of the load, the same for every peer; one does both when there is no second.
struct Processors {
    let server: Int32
    let load: Int32

    /// The first two processors that this program may use.
    init() throws(BenchmarkError) {
        var found: [Int32] = [0, 0]
        let count = try SystemCall.checked("asking for the processors") {
            // The call writes at most as many numbers as the array holds.
            unsafe platform_processors(&found, 2)
        }
        server = found[0]
        load = count > 1 ? found[1] : found[0]
    }

    /// Moves this program to the loading processor.
    func settle() throws(BenchmarkError) {
        try pin(load)
    }

    /// What `body` starts runs on the serving processor.
    func serving<Result>(_ body: () throws(BenchmarkError) -> Result) throws(BenchmarkError) -> Result {
        try pin(server)
        let result: Result
        do {
            result = try body()
        } catch {
            try pin(load)
            throw error
        }
        try pin(load)
        return result
    }

    /// In words.
    var description: String {
        server == load
            ? "servers and load share processor \(server)" : "servers on processor \(server), load on \(load)"
    }

    private func pin(_ processor: Int32) throws(BenchmarkError) {
        _ = try SystemCall.checked("moving to processor \(processor)") { platform_pin(processor) }
    }
}
