import CSQLitePeer
import EventLoop
import JSON
import Personal
import SearchModel

/// A C loop around the `sqlite3` library, on a library's own file.
enum SQLitePeer {
    /// Rows per second, and nanoseconds for each commit.
    struct Saves {
        let perSecond: Double
        let commitNanoseconds: Double
    }

    /// Saves hits durably, so many in each commit, on the serving processor.
    static func save(
        _ hits: [JSONValue],
        batch: Int,
        into file: String,
        for limit: Duration,
        _ processors: Processors
    ) throws(BenchmarkError) -> Saves {
        let items = hits.compactMap { try? SavedItem($0, savedNow: 1, path: "hit") }
        let texts = items.flatMap { item in
            [
                item.id, item.hit.source.text, String(decoding: item.jsonBytes, as: UTF8.self), item.indexTokens,
            ]
        }
        var elapsed: Int64 = 0
        let done = try processors.serving {
            // The texts are lent for the call, which keeps none of them.
            unsafe withCStrings(texts) { texts in
                guard let texts = unsafe texts else { return Int64(-1) }
                let rows = unsafe (0..<items.count).map { index in
                    unsafe sqlite_peer_row(
                        id: texts[4 * index],
                        source: texts[4 * index + 1],
                        item: texts[4 * index + 2],
                        tokens: texts[4 * index + 3]
                    )
                }
                return unsafe sqlite_peer_save(
                    file,
                    rows,
                    rows.count,
                    batch,
                    limit.saturatingNanoseconds,
                    &elapsed
                )
            }
        }
        guard done > 0 else { throw BenchmarkError(.program, "SQLite did not save into \(file)") }
        return Saves(
            perSecond: Double(done) * 1e9 / Double(elapsed),
            commitNanoseconds: Double(elapsed) * Double(batch) / Double(done)
        )
    }

    /// Runs a statement with each argument; how long each took.
    static func query(
        _ sql: String,
        _ arguments: [String],
        in file: String,
        _ processors: Processors
    ) throws(BenchmarkError) -> [Int64] {
        var times = [Int64](repeating: 0, count: arguments.count)
        let rows = try processors.serving {
            // The texts live through the call, which is given their number; C reads the same pointers as constant.
            // `times` has an element for each of them.
            unsafe withCStrings(arguments) { texts in
                guard let texts = unsafe texts else { return Int64(-1) }
                let lent = unsafe UnsafeRawPointer(texts).assumingMemoryBound(to: UnsafePointer<CChar>?.self)
                return unsafe sqlite_peer_query(file, sql, lent, arguments.count, &times)
            }
        }
        guard rows >= 0 else { throw BenchmarkError(.program, "SQLite did not read \(file)") }
        return times
    }
}
