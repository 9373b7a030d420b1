/// Parses HTTP/1.0 and 1.1 requests without chunked bodies.
///
/// After an error, the connection must be closed.
struct HTTPRequestParser: Sendable {
    static let headBytesMax = 32 << 10
    static let fieldsMax = 100
    static let bodyBytesMax = 1 << 20

    struct Message: Equatable, Sendable {
        var request: HTTPRequest
        var keepsAlive: Bool
    }

    struct Failure: Error, Equatable, Sendable {
        let status: Int
        let message: String
    }

    private var buffer: [UInt8] = []
    private var start = 0
    private var searched = 0

    mutating func append(_ bytes: some Sequence<UInt8>) {
        if start > 0 {
            buffer.removeFirst(start)
            searched = max(0, searched - start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// If false, the server must pause reading, because too many bytes wait in the buffer.
    var hasRoom: Bool {
        buffer.count - start <= Self.headBytesMax + Self.bodyBytesMax
    }

    var isTLS: Bool {
        start == 0 && buffer.first == 0x16
    }

    mutating func next() throws(Failure) -> Message? {
        while start < buffer.count, buffer[start] == 0x0D || buffer[start] == 0x0A { start += 1 }
        guard let end = headEnd() else {
            if buffer.count - start > Self.headBytesMax { throw Failure(status: 431, message: "head too long") }
            return nil
        }
        guard end - start <= Self.headBytesMax else { throw Failure(status: 431, message: "head too long") }
        var message = try Self.head(buffer[start..<end])
        let length = try Self.bodyLength(message.request.fields)
        guard buffer.count - end >= length else { return nil }
        message.request.body = Array(buffer[end..<end + length])
        start = end + length
        searched = start
        return message
    }

    private mutating func headEnd() -> Int? {
        var index = max(searched, start)
        while index < buffer.count {
            guard buffer[index] == 0x0A else {
                index += 1
                continue
            }
            let before = index > start && buffer[index - 1] == 0x0D ? index - 2 : index - 1
            if before >= start, buffer[before] == 0x0A { return index + 1 }
            index += 1
        }
        searched = max(start, buffer.count - 2)
        return nil
    }

    private static func head(_ bytes: ArraySlice<UInt8>) throws(Failure) -> Message {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(status: 400, message: "head is not UTF-8")
        }
        let lines = text.utf8.split(separator: 0x0A).map { $0.last == 0x0D ? $0.dropLast() : $0 }
        let words = lines.first.map { $0.split(separator: 0x20, maxSplits: 3).map(String.init) } ?? []
        guard words.count == 3, let target = words[1], target.hasPrefix("/") || target.hasPrefix("http"),
            let method = words[0], let version = words[2]
        else { throw Failure(status: 400, message: "not a valid request line") }
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            throw Failure(status: 505, message: "only HTTP/1.0 and HTTP/1.1 are supported")
        }
        var fields = HTTPFields()
        guard lines.count <= fieldsMax + 2 else { throw Failure(status: 431, message: "too many fields") }
        for line in lines.dropFirst() where !line.isEmpty {
            guard let colon = line.firstIndex(of: 0x3A), colon > line.startIndex,
                let name = String(line[..<colon]), let value = String(line[line.index(after: colon)...])
            else { throw Failure(status: 400, message: "not a valid header field") }
            fields.append(name, trimmed(value))
        }
        let connection = fields["Connection"]?.lowercased()
        let keepsAlive = version == "HTTP/1.1" ? connection != "close" : connection == "keep-alive"
        let request = HTTPRequest(method: method, url: path(of: target), fields: fields)
        return Message(request: request, keepsAlive: keepsAlive)
    }

    private static func bodyLength(_ fields: HTTPFields) throws(Failure) -> Int {
        guard fields["Transfer-Encoding"] == nil else { throw Failure(status: 501, message: "no chunked bodies") }
        guard let text = fields["Content-Length"] else { return 0 }
        guard let length = Int(text), length >= 0 else { throw Failure(status: 400, message: "not a valid length") }
        guard length <= bodyBytesMax else { throw Failure(status: 413, message: "body too long") }
        return length
    }

    /// Removes the scheme and host that a client of a proxy sends.
    private static func path(of target: String) -> String {
        guard !target.hasPrefix("/"), let scheme = target.firstIndex(of: ":") else { return target }
        let rest = target[scheme...].dropFirst(3)
        return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
    }

    private static func trimmed(_ value: String) -> String {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let start = value.utf8.drop(while: isBlank)
        let end = start.lastIndex { !isBlank($0) }.map { start.index(after: $0) } ?? start.startIndex
        return String(value[start.startIndex..<end])
    }
}
