/// Redis with one key for each search, and a value as long as searchd's answer to it.
enum RedisPeer {
    /// A private server that keeps nothing on the disk.
    static func command(socketPath: String, directory: String) -> Command {
        Command(
            program: "redis-server",
            arguments: [
                "--port", "0", "--unixsocket", socketPath, "--save", "", "--appendonly", "no", "--dir", directory,
            ]
        )
    }

    /// Stores a value under every key, and asks for them.
    static func traffic(_ peer: Peer, answerBytes: Int) throws(BenchmarkError) -> Traffic {
        let dialogue = try Dialogue(peer.socketPath)
        let length = RedisWire.bulkBytes(answerBytes)
        var exchanges: [Traffic.Exchange] = []
        for index in 0..<SearchRequests.count {
            let key = "search:\(index)"
            try dialogue.send(RedisWire.command(["SET", key, value(index, bytes: answerBytes)]))
            let reply = try dialogue.frame(.line)
            guard reply.starts(with: Array("+OK".utf8)) else {
                throw peer.process.failure("refused a key: \(String(decoding: reply, as: UTF8.self))")
            }
            let request = RedisWire.command(["GET", key])
            exchanges.append(Traffic.Exchange(head: request, mark: mark(index), length: length...length))
        }
        return Traffic(exchanges, framing: .bulk)
    }

    /// A value tells which key it belongs to, as the answer of searchd tells its query.
    private static func value(_ index: Int, bytes: Int) -> String {
        let start = "\(index):"
        return start + String(repeating: "x", count: max(0, bytes - start.utf8.count))
    }

    /// The beginning of the value, with the end of the line before it.
    private static func mark(_ index: Int) -> [UInt8] {
        Array("\n\(index):".utf8)
    }
}

/// The protocol of Redis: RESP, version 2.
enum RedisWire {
    /// A command as an array of bulk strings.
    static func command(_ words: [String]) -> [UInt8] {
        var bytes = Array("*\(words.count)\r\n".utf8)
        for word in words {
            bytes += Array("$\(word.utf8.count)\r\n".utf8)
            bytes += Array(word.utf8)
            bytes += [13, 10]
        }
        return bytes
    }

    /// How long the answer with a value of so many bytes is.
    static func bulkBytes(_ valueBytes: Int) -> Int {
        1 + String(valueBytes).utf8.count + 2 + valueBytes + 2
    }
}
