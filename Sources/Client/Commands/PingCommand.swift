import EventLoop
import JSON
import RPC
import SearchModel

/// `searchctl ping`: whether the daemon answers, and how fast.
enum PingCommand {
    static let timeoutSeconds = 5

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let format = try OutputFormat.chosen(arguments, outputIsTerminal: context.console.outputIsTerminal)
        return try Connector(arguments, context).withExchange { exchange throws(ClientError) in
            let started = Instant.now
            try exchange.send(line: RequestLine.request(1, .ping))
            let result = try exchange.result(of: 1, until: started.advanced(by: .seconds(timeoutSeconds)))
            let elapsed = started.duration(to: .now).milliseconds
            switch format {
            case .json: exchange.print(json: result.text)
            case .text:
                let uptime = result[.uptime]?.double.map { ", up \(FigureText.time(milliseconds: $0 * 1000))" } ?? ""
                exchange.print("searchd answers in \(FigureText.time(milliseconds: elapsed))\(uptime)\n".utf8)
            }
            try exchange.flush()
            return .found
        }
    }
}
