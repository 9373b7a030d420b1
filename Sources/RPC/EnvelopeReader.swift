import Glibc
package import JSON
package import SearchModel

/// A JSON-RPC message.
///
/// Its members are entries of a `JSONIndex`.
package struct Envelope {
    package enum Shape: Equatable, Sendable {
        case request
        case notification
        /// The message gets an error as its answer. The answer repeats the id if the id is valid.
        case invalid(EnvelopeProblem)
    }

    package var shape: Shape
    package var id: JSONEntry?
    package var method: JSONEntry?
    package var params: Int?
}

package enum EnvelopeProblem: Sendable {
    case notAnObject
    case emptyBatch
    case batchTooLong
    case versionMissing
    case methodMissing
    case idInvalid
    case paramsInvalid
    case memberTwice

    package var error: SearchError {
        let (message, hint): (String, String) =
            switch self {
            case .notAnObject: ("a message must be an object", "Send {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":…}.")
            case .emptyBatch: ("the batch is empty", "A batch must have at least one message.")
            case .batchTooLong:
                ("the batch has more than \(Batch.messagesMax) messages", "Send several smaller batches.")
            case .versionMissing: ("\"jsonrpc\" is not \"2.0\"", "Every message must have \"jsonrpc\":\"2.0\".")
            case .methodMissing: ("\"method\" is missing or not a string", "rpc.discover lists the methods.")
            case .idInvalid:
                (
                    "the id must be a string, an integer or null, with at most \(RequestID.bytesMax) bytes",
                    "Number the requests 1, 2, 3 and so on."
                )
            case .paramsInvalid: ("\"params\" is neither an object nor an array", "Send the parameters by name.")
            case .memberTwice: ("duplicate member in the message", "Send each member once.")
            }
        return SearchError(.invalidRequest, message, retryable: false, hint: hint)
    }
}

package enum Batch {
    package static let messagesMax = 64
}

/// Validates the JSON of a line, and finds its messages and their members.
package struct EnvelopeReader: Sendable {
    package enum Line {
        case message(Envelope)
        case batch([Range<Int>])
        case refused(SearchError)
    }

    package private(set) var index = JSONIndex(limits: .wire)

    package init() {}

    package mutating func read(_ line: UnsafeRawBufferPointer) -> Line {
        do throws(JSONError) {
            try unsafe index.index(line)
        } catch {
            return .refused(Self.refusal(error))
        }
        let root = index[0]
        guard root.kind == .array else { return .message(unsafe envelope(at: 0, in: line)) }
        guard root.count > 0 else { return .message(Envelope(shape: .invalid(.emptyBatch))) }
        guard root.count <= Batch.messagesMax else { return .message(Envelope(shape: .invalid(.batchTooLong))) }
        var messages: [Range<Int>] = []
        messages.reserveCapacity(root.count)
        var index = 1
        while index < Int(root.next) {
            messages.append(self.index[index].range)
            index = Int(self.index[index].next)
        }
        return .batch(messages)
    }

    /// Reads one message of a batch that `read` returned.
    ///
    /// A batch inside a batch is not valid.
    package mutating func readMessage(_ message: UnsafeRawBufferPointer) -> Envelope {
        guard (try? unsafe index.index(message)) != nil else { return Envelope(shape: .invalid(.notAnObject)) }
        return unsafe envelope(at: 0, in: message)
    }

    private func envelope(at offset: Int, in line: UnsafeRawBufferPointer) -> Envelope {
        let root = index[offset]
        guard root.kind == .object else { return Envelope(shape: .invalid(.notAnObject)) }
        var envelope = Envelope(shape: .notification)
        var version: JSONEntry?
        var seesTwice = false
        var name = offset + 1
        while name < Int(root.next) {
            let value = index[name + 1]
            switch unsafe Member(index[name], in: line) {
            case .jsonrpc:
                seesTwice = seesTwice || version != nil
                version = value
            case .id:
                seesTwice = seesTwice || envelope.id != nil
                envelope.id = value
                envelope.shape = .request
            case .method:
                seesTwice = seesTwice || envelope.method != nil
                envelope.method = value
            case .params:
                seesTwice = seesTwice || envelope.params != nil
                envelope.params = name + 1
            case nil: break
            }
            name = Int(value.next)
        }
        if let problem = unsafe problem(in: envelope, version: version, seesTwice: seesTwice, line) {
            envelope.shape = .invalid(problem)
        }
        return envelope
    }

    private func problem(
        in envelope: Envelope,
        version: JSONEntry?,
        seesTwice: Bool,
        _ line: UnsafeRawBufferPointer
    ) -> EnvelopeProblem? {
        if let id = envelope.id, unsafe !RequestID.isValid(id, in: line) { return .idInvalid }
        if seesTwice { return .memberTwice }
        let versionText = version.flatMap { unsafe JSONEntry.name(of: $0, in: line) }
        guard let versionText, versionText.hasSameBytes(as: "2.0") else { return .versionMissing }
        guard let method = envelope.method, method.kind == .string else { return .methodMissing }
        if let params = envelope.params, index[params].kind != .object, index[params].kind != .array {
            return .paramsInvalid
        }
        return nil
    }

    private enum Member {
        case jsonrpc
        case id
        case method
        case params

        init?(_ name: JSONEntry, in line: UnsafeRawBufferPointer) {
            switch name.range.count {
            case 4 where unsafe EnvelopeReader.matches(name, "\"id\"", in: line): self = .id
            case 8 where unsafe EnvelopeReader.matches(name, "\"method\"", in: line): self = .method
            case 8 where unsafe EnvelopeReader.matches(name, "\"params\"", in: line): self = .params
            case 9 where unsafe EnvelopeReader.matches(name, "\"jsonrpc\"", in: line): self = .jsonrpc
            default:
                // A name may be written with escapes.
                guard name.hasEscapes, let text = unsafe JSONEntry.name(of: name, in: line) else { return nil }
                switch ExactText(text) {
                case "id": self = .id
                case "method": self = .method
                case "params": self = .params
                case "jsonrpc": self = .jsonrpc
                default: return nil
                }
            }
        }
    }

    @inline(__always)
    private static func matches(_ entry: JSONEntry, _ text: StaticString, in line: UnsafeRawBufferPointer) -> Bool {
        guard entry.range.count == text.utf8CodeUnitCount, let base = line.baseAddress else { return false }
        // Both texts have `utf8CodeUnitCount` bytes. A StaticString is always valid.
        return unsafe memcmp(base + entry.range.lowerBound, text.utf8Start, text.utf8CodeUnitCount) == 0
    }

    private static func refusal(_ error: JSONError) -> SearchError {
        switch error.code {
        case .tooDeep:
            SearchError(
                .tooDeep,
                "the line is nested deeper than \(JSONLimits.wire.depthMax) levels",
                retryable: false,
                hint: "Send flatter parameters."
            )
        case .tooLong: lineTooLong
        case .notUTF8:
            SearchError(
                .parseError,
                "byte \(error.offset) of the line is not UTF-8",
                retryable: false,
                hint: "Send UTF-8."
            )
        default:
            SearchError(
                .parseError,
                "the line is not JSON: \(error.message) (byte \(error.offset))",
                retryable: false,
                hint: "Send one JSON object per line."
            )
        }
    }

    package static let lineTooLong = SearchError(
        .lineTooLong,
        "the line is longer than \(LineFramer.lineBytesMax) bytes",
        retryable: false,
        hint: "Send several shorter requests."
    )
}

extension JSONEntry {
    /// The maximum length of the name of a method or a member, as written in JSON.
    package static let nameBytesMax = 512

    /// Returns nil if the text is too long.
    ///
    /// Compare the result with `hasSameBytes`, because `==` normalises Unicode.
    package static func name(of entry: JSONEntry, in line: UnsafeRawBufferPointer) -> String? {
        guard entry.kind == .string, entry.range.count <= nameBytesMax else { return nil }
        if entry.hasEscapes { return unsafe (try? JSONDocument(Array(line[entry.range])))?.root.string }
        return unsafe String(decoding: line[entry.range.lowerBound + 1..<entry.range.upperBound - 1], as: UTF8.self)
    }
}
