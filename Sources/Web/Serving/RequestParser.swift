import JSON

/// Parses HTTP requests, and refuses requests that break the rules.
///
/// After an error, the caller must close the connection.
struct RequestParser {
    static let headBytesMax = 16 << 10
    static let fieldsMax = 64
    static let bodyBytesMax = 64 << 10

    struct Refusal: Error, Equatable {
        let status: Int
        let message: String

        init(_ status: Int, _ message: String) {
            self.status = status
            self.message = message
        }
    }

    private var buffer: [UInt8] = []
    private var start = 0
    private var searched = 0
    private var head: (request: WebRequest, bodyStart: Int, length: Int)?

    var hasBegun: Bool { buffer.count > start }

    /// If false, the caller must not read more bytes.
    var hasRoom: Bool { buffer.count - start <= Self.headBytesMax + Self.bodyBytesMax }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        unsafe buffer.append(contentsOf: bytes)
    }

    mutating func next() throws(Refusal) -> WebRequest? {
        if head == nil {
            guard let end = try headEnd() else {
                guard buffer.count - start <= Self.headBytesMax else { throw Refusal(431, "the header is too long") }
                return nil
            }
            guard end - start <= Self.headBytesMax else { throw Refusal(431, "the header is too long") }
            let request = try Self.parse(buffer[start..<end - 4])
            head = (request, end, try Self.bodyLength(of: request))
        }
        guard let (unfinished, bodyStart, length) = head, buffer.count - bodyStart >= length else { return nil }
        var request = unfinished
        request.body = Array(buffer[bodyStart..<bodyStart + length])
        head = nil
        start = bodyStart + length
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: buffer.capacity <= Self.headBytesMax)
        } else {
            buffer.removeFirst(start)
        }
        (start, searched) = (0, 0)
        return request
    }

    private mutating func headEnd() throws(Refusal) -> Int? {
        while let line = buffer[max(searched, start)...].firstIndex(of: 0x0A) {
            guard line > start, buffer[line - 1] == 0x0D else { throw Refusal(400, "a line does not end with CR LF") }
            searched = line + 1
            if line >= start + 3, buffer[line - 2] == 0x0A { return line + 1 }
            // Clients may send an empty line before a request.
            if line == start + 1 { start = line + 1 }
        }
        searched = buffer.count
        return nil
    }

    private static func parse(_ head: ArraySlice<UInt8>) throws(Refusal) -> WebRequest {
        var lines = head.split(separator: 0x0A).map { $0.last == 0x0D ? $0.dropLast() : $0 }[...]
        guard let first = lines.popFirst() else { throw Refusal(400, "not a valid request") }
        guard lines.count <= fieldsMax else { throw Refusal(431, "too many header fields") }
        var request = try requestLine(first)
        for line in lines { try add(line, to: &request) }
        guard request.fields.count(where: { $0.field == .host }) <= 1 else { throw Refusal(400, "two Host fields") }
        request.authority = request.authority ?? request[.host]
        request.keepsAlive = request.isCurrent
        if let connection = request[.connection]?.lowercased() {
            request.keepsAlive = connection.contains(request.isCurrent ? "close" : "keep-alive") != request.isCurrent
        }
        return request
    }

    private static func requestLine(_ line: ArraySlice<UInt8>) throws(Refusal) -> WebRequest {
        let words = line.split(separator: 0x20, omittingEmptySubsequences: false)
        let beforeQuery = line.prefix { $0 != UInt8(ascii: "?") }
        guard words.count == 3, line.allSatisfy({ $0 > 0x1F && $0 != 0x7F }), beforeQuery.allSatisfy({ $0 < 0x80 })
        else { throw Refusal(400, "not a valid request line") }
        let (name, version) = (String(decoding: words[0], as: UTF8.self), String(decoding: words[2], as: UTF8.self))
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else { throw Refusal(505, "HTTP/1.1 is required") }
        guard let method = WebRequest.Method(rawValue: name) else { throw Refusal(405, "use GET, HEAD or POST") }
        var target = words[1]
        var authority: String?
        let scheme = Array("http://".utf8)
        if target.starts(with: scheme) {
            let rest = target.dropFirst(scheme.count)
            let path = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
            authority = String(decoding: rest[..<path], as: UTF8.self)
            target = rest[path...]
        }
        guard authority != nil || target.first == UInt8(ascii: "/") else { throw Refusal(400, "not a valid target") }
        let mark = target.firstIndex(of: UInt8(ascii: "?"))
        let path = target[..<(mark ?? target.endIndex)]
        guard let query = String(validating: mark.map { target[($0 + 1)...] } ?? [], as: UTF8.self) else {
            throw Refusal(400, "the query is not UTF-8")
        }
        return WebRequest(
            method: method,
            authority: authority,
            path: path.isEmpty ? "/" : String(decoding: path, as: UTF8.self),
            // Some programs send letters without percent encoding.
            query: PercentEncoding.encode(query) { $0 < 0x80 },
            isCurrent: version == "HTTP/1.1"
        )
    }

    private static func add(_ line: ArraySlice<UInt8>, to request: inout WebRequest) throws(Refusal) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
            line[..<colon].allSatisfy({ $0.isLetter || $0.isDigit || "-_.".utf8.contains($0) }),
            line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
        else { throw Refusal(400, "not a valid header field") }
        let name = String(decoding: line[..<colon].map(\.lowered), as: UTF8.self)
        guard let field = WebRequest.Field(rawValue: name) else { return }
        request.fields.append((field, Substring(String(decoding: line[(colon + 1)...], as: UTF8.self)).trimmed))
    }

    private static func bodyLength(of request: WebRequest) throws(Refusal) -> Int {
        guard request[.transferEncoding] == nil else { throw Refusal(501, "chunked bodies are not supported") }
        let lengths = request.fields.filter { $0.field == .contentLength }.map(\.value)
        guard let text = lengths.first else { return 0 }
        guard lengths.count == 1, text.utf8.allSatisfy(\.isDigit), let length = Int(text) else {
            throw Refusal(400, "not a valid Content-Length")
        }
        guard length <= bodyBytesMax else { throw Refusal(413, "the body is too long") }
        return length
    }
}
