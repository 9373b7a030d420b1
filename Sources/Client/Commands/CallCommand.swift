import JSON
import RPC
import SearchModel

/// The command `searchctl call`, which calls any method of the daemon, for scripts.
enum CallCommand {
    private static let request = 1

    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        let method = context.arguments.words[0]
        if method == "-" {
            guard context.arguments.words.count == 1 else { throw ClientError(.usage, "“call -” takes no PARAMS") }
            return try pass(context)
        }
        var params = try context.arguments.words.dropFirst().first.map(params)
        if MethodName(rawValue: method) == .search { params = params.map(unrecorded) }
        var exchange = try Connector(context).connect()
        do throws(ClientError) {
            try exchange.send(line: RequestLine.request(request, method, params: params))
            try finish(&exchange)
        } catch {
            exchange.cancel(request)
            if error.code != .interrupted, error.code != .outputClosed { try exchange.flush() }
            throw error
        }
        return .found
    }

    /// Returns PARAMS as one line, because each message of the protocol is one line.
    static func params(_ text: String) throws(ClientError) -> [UInt8] {
        let root: JSONCursor
        do {
            root = try JSONDocument(Array(text.utf8), limits: .wire).root
        } catch {
            throw ClientError(.usage, "PARAMS is not JSON: \(error.message), at byte \(error.offset)")
        }
        guard root.kind == .object || root.kind == .array else {
            throw ClientError(.usage, "PARAMS is not a JSON object or array", hint: #"Example: '{"query":"고양이"}'."#)
        }
        // Valid JSON has line breaks only outside strings.
        return root.text.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 }
    }

    private static func unrecorded(_ params: [UInt8]) -> [UInt8] {
        guard let root = try? JSONDocument(params, limits: .wire).root, root[.history] == nil, !root.members.isEmpty
        else { return params }
        return Array(#"{"history":false,"#.utf8) + root.text.dropFirst()
    }

    private static func finish(_ exchange: inout DaemonConnection) throws(ClientError) {
        while let line = try exchange.nextLine() {
            switch try Message.read(line) {
            case .notification: exchange.print(json: line[...])
            case .failure(id: _, let error): throw error
            case .result(id: _, let result):
                exchange.print(json: result.text)
                return try exchange.flush()
            }
        }
        throw Connector.lost
    }

    private static func pass(_ context: Context) throws(ClientError) -> ExitStatus {
        var exchange = try Connector(context).connect()
        exchange.takeLines()
        var (status, inputHasEnded) = (ExitStatus.found, false)
        while true {
            switch try exchange.nextEvent(until: nil) {
            case .input(let line): try exchange.send(line: line)
            case .inputEnded:
                inputHasEnded = true
                try exchange.endSending()
            case .line(let line):
                exchange.print(json: line[...])
                if status == .found, let error = firstError(in: line) { status = ExitStatus(of: error) }
            case .ended:
                try exchange.flush()
                guard inputHasEnded else { throw Connector.lost }
                return status
            }
        }
    }

    private static func firstError(in line: [UInt8]) -> ClientError? {
        guard let root = try? JSONDocument(line, limits: Message.limits).root else { return nil }
        let answers = root.kind == .array ? root.elements : [root]
        return answers.lazy.compactMap { $0[.error] }.first.map(RemoteFailure.read)
    }
}
