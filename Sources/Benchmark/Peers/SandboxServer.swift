import Fetch
import HTTPMessage
import JSON

/// The upstream of searchd: a private `searchd-sandbox` on a free port.
final class SandboxServer {
    let accounts: SandboxAccounts
    private let port: UInt16
    private let process: ChildProcess

    init(_ programs: Programs, in directory: TemporaryDirectory) throws(BenchmarkError) {
        let command = Command(program: programs.sandbox, arguments: ["--port", "0", "--print-port", "--unlimited"])
        process = try ChildProcess(command, log: directory.file("sandbox.log"), isHeard: true)
        guard let line = try process.line(), let ready = try? JSONDocument(line).root,
            let port = ready["port"]?.int.flatMap({ UInt16(exactly: $0) }), let accounts = SandboxAccounts(ready)
        else {
            throw process.failure("did not say where it listens and which keys it takes")
        }
        self.port = port
        self.accounts = accounts
    }

    /// How many requests it has received from searchd so far.
    func requests() throws(BenchmarkError) -> Int {
        let counts = try response(to: HTTPRequest(url: "\(origin)/_sandbox/counts"))
        guard let count = try? JSONDocument(counts.body).root["requests"]?.int else {
            throw process.failure("did not tell its counts")
        }
        return count
    }

    /// Changes its options; what the JSON leaves out stays.
    func change(_ options: String) throws(BenchmarkError) {
        let request = HTTPRequest(method: "POST", url: "\(origin)/_sandbox/options", body: Array(options.utf8))
        guard try response(to: request).status == 200 else { throw process.failure("did not take \(options)") }
    }

    /// Makes a source's request, on a new connection.
    func response(to request: HTTPRequest) throws(BenchmarkError) -> HTTPResponse {
        try OnLoop.run { loop async throws(BenchmarkError) in
            let client = HTTPClient(loop: loop, configuration: HTTPClientConfiguration(userAgent: "searchbench"))
            do throws(FetchError) {
                let fetched = try await client.fetch(FetchRequest(request))
                await client.shutdown()
                return fetched.response
            } catch {
                throw BenchmarkError(.answer, "the sandbox did not answer \(request.url): \(error.message)")
            }
        }
    }

    private var origin: String { "http://127.0.0.1:\(port)" }
}
