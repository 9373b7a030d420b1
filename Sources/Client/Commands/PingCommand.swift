import EventLoop
import JSON
import RPC
import SearchModel

/// The command `searchctl ping`, which measures how fast the daemon answers.
enum PingCommand {
    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        try Connector(context).withExchange { exchange throws(ClientError) in
            let started = Instant.now
            let result = try exchange.ask(.ping)
            let elapsed = NumberText.time(milliseconds: started.duration(to: .now).milliseconds)
            let uptime = result[.uptime]?.double.map { ", up \(NumberText.time(milliseconds: $0 * 1000))" } ?? ""
            let line = "searchd answers in \(elapsed)\(uptime)"
            try context.report(json: [result.text], or: [line])
            return .found
        }
    }
}
