/// Finds the end of an answer and its id, for each kind of peer.
///
/// Pure; partial input is normal.
enum AnswerFraming: Equatable, Sendable {
    /// A line is an answer.
    case line
    /// A line is an answer of JSON-RPC, with the envelope's members in the order that searchd writes.
    case jsonRPC
    /// A bulk string of Redis: `$LENGTH`, CR LF, the bytes, CR LF.
    case bulk

    /// What the bytes begin with.
    enum Frame: Equatable, Sendable {
        /// The beginning of an answer, whose rest has not arrived.
        case incomplete
        /// A whole answer of so many bytes, and its id where it has one.
        case answer(length: Int, id: Int?)
        /// A whole frame of so many bytes that is not a result.
        case wrong(length: Int)
        /// Not a frame: nothing that follows can be read.
        case broken
    }

    /// A longer answer is an error.
    static let answerBytesMax = 256 * 1024

    private static let envelope = Array(#"{"jsonrpc":"2.0","id":"#.utf8)
    private static let result = Array(#","result":"#.utf8)
    private static let bulkHeaderBytesMax = 16

    func first(in bytes: Span<UInt8>) -> Frame {
        switch self {
        case .line: Self.firstLine(in: bytes) { .answer(length: $0, id: nil) }
        case .jsonRPC: Self.firstLine(in: bytes) { Self.message(of: $0, in: bytes) }
        case .bulk: Self.firstBulk(in: bytes)
        }
    }

    private static func firstLine(in bytes: Span<UInt8>, _ frame: (Int) -> Frame) -> Frame {
        guard let end = bytes.firstLineFeed() else {
            return bytes.count > answerBytesMax ? .broken : .incomplete
        }
        return frame(end + 1)
    }

    /// The envelope is compared as bytes: an answer that spells it another way is not one of searchd's.
    private static func message(of length: Int, in bytes: Span<UInt8>) -> Frame {
        guard bytes.starts(with: envelope) else { return .wrong(length: length) }
        guard let (id, end) = bytes.decimal(at: envelope.count) else { return .wrong(length: length) }
        guard bytes.extracting(droppingFirst: end).starts(with: result) else { return .wrong(length: length) }
        return .answer(length: length, id: id)
    }

    private static func firstBulk(in bytes: Span<UInt8>) -> Frame {
        guard !bytes.isEmpty else { return .incomplete }
        guard bytes[0] == UInt8(ascii: "$") else {
            return firstLine(in: bytes) { .wrong(length: $0) }
        }
        let header = bytes.extracting(first: bulkHeaderBytesMax)
        guard let headerEnd = header.firstLineFeed() else {
            return header.count < bulkHeaderBytesMax ? .incomplete : .broken
        }
        // `$-1` is the answer for a key that isn't there.
        guard let (length, end) = bytes.decimal(at: 1), end == headerEnd - 1 else {
            return .wrong(length: headerEnd + 1)
        }
        guard length <= answerBytesMax else { return .broken }
        let whole = headerEnd + 1 + length + 2
        guard bytes.count >= whole else { return .incomplete }
        guard bytes[whole - 2] == UInt8(ascii: "\r"), bytes[whole - 1] == UInt8(ascii: "\n") else { return .broken }
        return .answer(length: whole, id: nil)
    }
}
