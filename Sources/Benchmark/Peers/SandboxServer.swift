import JSON

/// The upstream that searchd asks: `searchd-sandbox`, private, on a port of its own.
final class SandboxServer {
    let baseURL: String
    /// The key that it accepts for Kakao.
    let key: String
    private let port: UInt16
    private let process: ChildProcess

    init(_ programs: Programs, in directory: TemporaryDirectory) throws(BenchmarkError) {
        let output = try Pipe()
        let command = Command(program: programs.sandbox, arguments: ["--port", "0", "--print-port"])
        process = try ChildProcess(command, log: directory.file("sandbox.log"), output: output.input)
        output.closeInput()
        guard let line = try output.line(), let ready = try? JSONDocument(line).root,
            let port = ready["port"]?.int.flatMap({ UInt16(exactly: $0) }),
            let baseURL = ready["bases"]?["kakao"]?.string, let key = ready["keys"]?["kakao"]?[0]?.string
        else {
            throw process.failure("did not say where it listens and which keys it takes")
        }
        self.port = port
        self.baseURL = baseURL
        self.key = key
    }

    /// How many requests it has had from searchd so far.
    func requests() throws(BenchmarkError) -> Int {
        let dialogue = try Dialogue(Connection.loopback(port: port))
        try dialogue.send(Array("GET /_sandbox/counts HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8))
        let response = try dialogue.rest()
        let body = response.split(separator: Array("\r\n\r\n".utf8), maxSplits: 1, omittingEmptySubsequences: false)
            .last
        guard let body, let count = try? JSONDocument(Array(body)).root["requests"]?.int else {
            throw process.failure("did not tell its counts")
        }
        return count
    }
}
