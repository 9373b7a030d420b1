import CHiredis

/// Why the engine can't be used, and what to do.
package struct EngineTrouble: Error, Equatable, Sendable {
    package let message: String
    package let hint: String

    package init(_ message: String, hint: String) {
        (self.message, self.hint) = (message, hint)
    }
}

/// A reply of the engine.
enum Reply: Equatable, Sendable {
    case integer(Int)
    case bytes([UInt8])
    case null
    case list([Reply])
    case error(String)

    var elements: [Reply] { if case .list(let elements) = self { elements } else { [] } }
    var text: String? { if case .bytes(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil } }
    /// A number, also if it was sent as text.
    var int: Int? { if case .integer(let number) = self { number } else { text.flatMap { Int($0) } } }

    subscript(index: Int) -> Reply { index < elements.count ? elements[index] : .null }
}

/// Reads replies from the bytes of a connection.
///
/// `@safe`: the parser belongs to this object, which frees it.
@safe final class ReplyReader {
    private let parser: UnsafeMutablePointer<redisReader>

    init() {
        // Fails only without memory.
        guard let parser = unsafe redisReaderCreate() else { fatalError("out of memory") }
        unsafe self.parser = parser
    }

    deinit {
        unsafe redisReaderFree(parser)
    }

    /// Adds received bytes.
    func add(_ bytes: UnsafeRawBufferPointer) {
        // The parser copies the bytes during the call; an error is reported by `next`.
        _ = unsafe redisReaderFeed(parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
    }

    /// Returns the next complete reply; nil until more bytes arrive.
    func next() throws(EngineTrouble) -> Reply? {
        var found: UnsafeMutableRawPointer?
        // The parser sets `found` to a reply that the caller frees, or to NULL.
        guard unsafe redisReaderGetReply(parser, &found) == REDIS_OK else {
            throw EngineTrouble("it does not speak the protocol of Redis", hint: "Check fleet.url.")
        }
        guard let found = unsafe found else { return nil }
        // The reply is copied, then freed.
        defer { unsafe freeReplyObject(found) }
        return unsafe Self.reply(found.assumingMemoryBound(to: redisReply.self))
    }

    private static func reply(_ found: UnsafePointer<redisReply>) -> Reply {
        // The fields in use depend on the type; the text has `len` bytes, the list `elements` elements.
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

/// A command, as words.
struct EngineCommand: Sendable {
    var words: [[UInt8]]

    init(_ words: String...) {
        self.words = words.map { Array($0.utf8) }
    }

    init(words: [[UInt8]]) {
        self.words = words
    }

    /// The command in the engine's protocol.
    var encoded: [UInt8] {
        let bytes = words.flatMap(\.self)
        let lengths = words.map(\.count)
        var command: UnsafeMutablePointer<CChar>?
        // The call reads the words from both arrays; their lengths add up to the bytes.
        let length = unsafe bytes.withUnsafeBytes { bytes in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            return unsafe chiredis_format(&command, Int32(lengths.count), start, lengths)
        }
        // Allocated by the call above, with this length.
        guard length > 0, let command = unsafe command else { fatalError("out of memory") }
        defer { unsafe redisFreeCommand(command) }
        return unsafe Array(UnsafeRawBufferPointer(start: command, count: Int(length)))
    }
}
