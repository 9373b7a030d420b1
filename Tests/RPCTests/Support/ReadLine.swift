import JSON
import RPC
import SearchModel

/// A message as a test states it: the exact texts of its members.
enum ReadMessage: Equatable {
    case request(id: String, method: String, params: String?)
    case notification(method: String, params: String?)
    case invalid(EnvelopeProblem, id: String?)
}

/// A line as a test states it.
enum ReadLine: Equatable {
    case one(ReadMessage)
    case many([ReadMessage])
    case refused(SearchError.Kind)
}

extension EnvelopeReader {
    /// Reads a line as a session does.
    mutating func line(_ bytes: [UInt8]) -> ReadLine {
        // What is read from the buffer is copied before the closure ends.
        unsafe bytes.withUnsafeBytes { line in
            switch unsafe read(line) {
            case .refused(let error): .refused(error.kind)
            case .message(let envelope): unsafe .one(message(envelope, line))
            case .batch(let places):
                .many(
                    places.map { range in
                        let text = unsafe UnsafeRawBufferPointer(rebasing: line[range])
                        let envelope = unsafe readMessage(text)
                        return unsafe message(envelope, text)
                    }
                )
            }
        }
    }

    mutating func line(_ text: String) -> ReadLine {
        line(Array(text.utf8))
    }

    private func message(_ envelope: Envelope, _ line: UnsafeRawBufferPointer) -> ReadMessage {
        let id = envelope.id.flatMap { unsafe RequestID($0, in: line) }.map { String(decoding: $0.text, as: UTF8.self) }
        let method = envelope.method.flatMap { unsafe JSONEntry.name(of: $0, in: line) }
        let params = envelope.params.map { unsafe String(decoding: line[index[$0].range], as: UTF8.self) }
        switch envelope.shape {
        case .request: return .request(id: id ?? "none", method: method ?? "none", params: params)
        case .notification: return .notification(method: method ?? "none", params: params)
        case .invalid(let problem): return .invalid(problem, id: id)
        }
    }
}
