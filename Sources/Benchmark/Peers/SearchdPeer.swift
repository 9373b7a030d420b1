import EventLoop
import JSON

/// The daemon with all features enabled, on top of the sandbox.
enum SearchdPeer {
    /// How much the length of an answer may vary: by the digits of its id, its age and its times.
    private static let lengthVariationMax = 64
    /// How long filling the cache may take in all, waits for the source's rate included.
    private static let warmingSecondsMax: Int64 = 120

    /// The daemon with all its files in one directory; writes the configuration too.
    static func command(
        _ programs: Programs,
        _ configuration: JSONValue,
        directory: String,
        more: [String] = []
    ) throws(BenchmarkError) -> Command {
        let file = "\(directory)/config.json5"
        try SystemCall.write(configuration.bytes, to: file)
        return Command(
            program: programs.searchd,
            arguments: [
                "--socket", "\(directory)/socket", "--config", file, "--state", "\(directory)/state", "--cache",
                "\(directory)/cache",
            ] + more,
            // As searchctl and the units start it.
            environment: ["GLIBC_TUNABLES=glibc.malloc.tcache_count=64:glibc.malloc.hugetlb=1"]
        )
    }

    /// Fills the cache with the answer to every search, and learns from them what right answers are.
    static func traffic(_ peer: Peer) throws(BenchmarkError) -> (traffic: Traffic, answerBytes: Int) {
        let dialogue = try Dialogue(peer.socketPath)
        let deadline = SystemCall.now + warmingSecondsMax * 1_000_000_000
        var exchanges: [Traffic.Exchange] = []
        var bytes = 0
        for index in 0..<SearchRequests.count {
            let query = SearchRequests.query(index)
            let (answer, mark) = try cached(query, peer, dialogue, deadline: deadline)
            bytes += answer
            exchanges.append(
                Traffic.Exchange(
                    head: SearchRequests.head,
                    tail: SearchRequests.tail(query: query),
                    mark: mark,
                    length: max(1, answer - lengthVariationMax)...answer + lengthVariationMax
                )
            )
        }
        return (Traffic(exchanges, framing: .jsonRPC), bytes / SearchRequests.count)
    }

    /// Asks until the answer comes from the cache; its length, and the bytes in which it repeats the query.
    private static func cached(
        _ query: String,
        _ peer: Peer,
        _ dialogue: Dialogue,
        deadline: Int64
    ) throws(BenchmarkError) -> (length: Int, mark: [UInt8]) {
        while SystemCall.now < deadline {
            try dialogue.send(SearchRequests.head + [UInt8(ascii: "1")] + SearchRequests.tail(query: query))
            let line = try dialogue.frame(.line)
            guard let answer = try? JSONDocument(line).root else { throw refusal(peer, line) }
            if let pause = answer["error"]?["data"]?["retryAfter"]?.int {
                SystemCall.pause(.milliseconds(max(1, pause)))
                continue
            }
            guard let result = answer["result"], let repeated = result["query"], repeated.string == query,
                result["hits"]?.count == 10, result["complete"]?.bool == true,
                let source = result["sources"]?[0]
            else { throw refusal(peer, line) }
            if source["cache"]?.string == "hit" { return (line.count, Array("\"query\":".utf8) + repeated.text) }
        }
        throw peer.process.failure("did not have all searches in its cache after \(warmingSecondsMax) s")
    }

    private static func refusal(_ peer: Peer, _ line: [UInt8]) -> BenchmarkError {
        peer.process.failure("can't be measured with this answer: \(String(decoding: line.prefix(400), as: UTF8.self))")
    }
}
