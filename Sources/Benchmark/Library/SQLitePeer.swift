import CSQLitePeer
import EventLoop

/// A C loop around the `sqlite3` library, on a file of its own with a row and a full-text entry for each item.
struct SQLitePeer {
    let file: String
    let processors: Processors

    /// Saves items on the processor of the servers, so many in each durable commit, for so long at most.
    ///
    /// Returns nanoseconds for one commit.
    func save(_ items: [LibraryTexts.Item], batch: Int, for limit: Duration) throws -> Double {
        let texts = items.flatMap { [$0.id, $0.json, $0.words] }
        var elapsed: Int64 = 0
        let done = try processors.serving {
            // The texts are lent for the call, which keeps none of them; C reads the same pointers as constant.
            unsafe withCStrings(texts) { texts in
                guard let texts = unsafe texts else { return Int64(-1) }
                let lent = unsafe UnsafeRawPointer(texts).assumingMemoryBound(to: UnsafePointer<CChar>?.self)
                return unsafe sqlite_peer_save(file, lent, items.count, batch, limit.saturatingNanoseconds, &elapsed)
            }
        }
        guard done > 0 else { throw BenchmarkError("SQLite did not save into \(file)") }
        return Double(elapsed) * Double(batch) / Double(done)
    }
}
