/// How Redis is asked: RESP, version 2.
package enum RedisWire {
    /// A command as an array of bulk strings.
    package static func command(_ words: [String]) -> [UInt8] {
        var bytes = Array("*\(words.count)\r\n".utf8)
        for word in words {
            bytes += Array("$\(word.utf8.count)\r\n".utf8)
            bytes += Array(word.utf8)
            bytes += [13, 10]
        }
        return bytes
    }

    /// How long the answer with a value of so many bytes is.
    package static func bulkBytes(_ valueBytes: Int) -> Int {
        1 + String(valueBytes).utf8.count + 2 + valueBytes + 2
    }
}
