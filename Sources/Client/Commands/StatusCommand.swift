import EventLoop
import JSON

/// `searchctl status`: who answers, and its figures.
enum StatusCommand {
    static let timeoutSeconds = 5

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let format = try OutputFormat.chosen(arguments, outputIsTerminal: context.console.outputIsTerminal)
        return try Connector(arguments, context).withExchange { exchange throws(ClientError) in
            let deadline = Instant.now.advanced(by: .seconds(timeoutSeconds))
            try exchange.send(line: RequestLine.request(1, "server/hello"))
            try exchange.send(line: RequestLine.request(2, "server/stats"))
            var results: [Int: JSONCursor] = [:]
            // They may come in any order.
            while results.count < 2 {
                let (id, result) = try exchange.nextResult(until: deadline)
                results[id] = result
            }
            guard let hello = results[1], let stats = results[2] else {
                throw ClientError(.protocolViolated, "searchd answered what nobody asked")
            }
            switch format {
            case .json: exchange.print(json: stats.text)
            case .text:
                for line in StatusText.lines(hello: hello, stats: stats) { exchange.print("\(line)\n".utf8) }
            }
            try exchange.flush()
            return .found
        }
    }
}
