import CHiredis

/// Why the shared server (Valkey or Redis) can't be used, and what the administrator can do.
package struct SharedServerError: Error, Equatable, Sendable {
    package let message: String
    package let hint: String

    package init(_ message: String, hint: String) {
        (self.message, self.hint) = (message, hint)
    }
}

/// A reply from the shared server.
enum Reply: Equatable, Sendable {
    case integer(Int)
    case bytes([UInt8])
    case null
    case list([Reply])
    case error(String)

    var elements: [Reply] { if case .list(let elements) = self { elements } else { [] } }
    var text: String? { if case .bytes(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil } }
    var int: Int? { if case .integer(let number) = self { number } else { text.flatMap { Int($0) } } }

    subscript(index: Int) -> Reply { index < elements.count ? elements[index] : .null }
}

/// Decodes replies from received bytes.
///
/// `@safe`, because the object owns and frees its parser.
@safe final class ReplyReader {
    private let parser: UnsafeMutablePointer<redisReader>

    init() {
        guard let parser = unsafe redisReaderCreate() else { fatalError("out of memory") }
        unsafe self.parser = parser
    }

    deinit {
        unsafe redisReaderFree(parser)
    }

    func add(_ bytes: UnsafeRawBufferPointer) {
        // The parser copies the bytes during the call. `next` reports an error in them.
        _ = unsafe redisReaderFeed(parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
    }

    func next() throws(SharedServerError) -> Reply? {
        var found: UnsafeMutableRawPointer?
        // The parser sets `found` to a reply that the caller frees, or to NULL.
        guard unsafe redisReaderGetReply(parser, &found) == REDIS_OK else {
            throw SharedServerError("the server does not use the protocol of Redis", hint: "Check fleet.url.")
        }
        guard let found = unsafe found else { return nil }
        // The reply is copied, then freed.
        defer { unsafe freeReplyObject(found) }
        return unsafe Self.reply(found.assumingMemoryBound(to: redisReply.self))
    }

    private static func reply(_ found: UnsafePointer<redisReply>) -> Reply {
        // The type decides which fields are used. A text has `len` bytes, a list has `elements` elements.
        switch unsafe found.pointee.type {
        case REDIS_REPLY_INTEGER: return .integer(Int(unsafe found.pointee.integer))
        case REDIS_REPLY_NIL: return .null
        case REDIS_REPLY_ARRAY:
            let count = unsafe Int(found.pointee.elements)
            // Each index is below the count.
            return .list(
                (0..<count).map { index in unsafe chiredis_element(found, index).map { unsafe reply($0) } ?? .null }
            )
        case let type:
            // The text belongs to the reply and is copied here.
            let bytes = unsafe UnsafeRawBufferPointer(start: found.pointee.str, count: Int(found.pointee.len))
            return type == REDIS_REPLY_ERROR
                ? .error(unsafe String(decoding: bytes, as: UTF8.self)) : .bytes(unsafe Array(bytes))
        }
    }
}

struct RedisCommand: Sendable {
    var words: [[UInt8]]

    init(_ words: String...) {
        self.words = words.map { Array($0.utf8) }
    }

    init(words: [[UInt8]]) {
        self.words = words
    }

    var encoded: [UInt8] {
        let bytes = words.flatMap(\.self)
        let lengths = words.map(\.count)
        var command: UnsafeMutablePointer<CChar>?
        // The call reads words of these lengths from `bytes`. The lengths add up to the number of bytes.
        let length = unsafe bytes.withUnsafeBytes { bytes in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            return unsafe chiredis_format(&command, Int32(lengths.count), start, lengths)
        }
        // The call above has allocated the bytes and returned their number.
        guard length > 0, let command = unsafe command else { fatalError("out of memory") }
        defer { unsafe redisFreeCommand(command) }
        return unsafe Array(UnsafeRawBufferPointer(start: command, count: Int(length)))
    }
}
