import CEchoPeer
import EventLoop
import Glibc

/// A plain epoll server that answers the same requests as searchd, all with the same bytes.
enum EchoPeer {
    static func command(_ programs: Programs, socketPath: String, answerBytes: Int) -> Command {
        Command(
            program: programs.searchbench,
            arguments: ["echo-peer", "--socket", socketPath, "--bytes", String(answerBytes)]
        )
    }

    static func traffic(answerBytes: Int) -> Traffic {
        let exchanges = (0..<SearchRequests.count).map { index in
            Traffic.Exchange(
                head: SearchRequests.head,
                tail: SearchRequests.tail(query: SearchRequests.query(index)),
                length: answerBytes...answerBytes
            )
        }
        return Traffic(exchanges, framing: .line)
    }

    /// Serves in this process; returns only when it can't.
    static func run(socketPath: String, answerBytes: Int) -> BenchmarkError {
        do throws(SystemError) {
            let listener = try UnixSocket.listen(at: socketPath, backlog: SOMAXCONN)
            echo_peer_run(listener.raw, answerBytes)
            return SystemCall.failure("serving \(socketPath)")
        } catch {
            return BenchmarkError(error)
        }
    }
}
