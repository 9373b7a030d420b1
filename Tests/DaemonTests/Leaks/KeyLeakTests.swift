import Glibc
import HTTP
import JSON
import Sandbox
import SearchModel
import Testing

@Suite struct KeyLeakTests {
    private static let faults: [(name: String, status: Int?)] =
        ["echo", "echoEncoded"].flatMap { name in [200, 400, 403, 500].map { (name: name, status: $0) } }
        + [("malformedJSON", nil), ("cut", nil)]

    /// The faults are divided into this many parts, which run in parallel.
    private static let shares = 3

    @Test(arguments: [false, true], 0..<shares)
    func `keys never leave the daemon, even if sources repeat them`(isHub: Bool, share: Int) async throws {
        try await withSandbox { sandbox, _ in
            let keys = LeakKeys(isHub: isHub)
            let home = LeakHome(keys, sandbox.base)
            let searchd = try home.start()
            let client = try TestClient(home.socket, secrets: [])
            var seen = Seen(LeakSearch(keys.secrets))

            // The mock server does not know these keys. It repeats a Kakao key in its error.
            await sandbox.change { $0.keys = SandboxKeys() }
            try seen.look(at: client, home, "unknown keys")
            #expect(seen.masksOfLastLook > 0)
            await sandbox.change { keys.open(&$0) }
            try seen.look(at: client, home, "no fault")
            for (number, fault) in Self.faults.enumerated() where number % Self.shares == share {
                var rule = FaultRule(source: "*", name: fault.name)
                rule.status = fault.status
                await sandbox.change { [rule] in $0.faults = [rule] }
                try seen.look(at: client, home, "\(fault.name) \(fault.status ?? 0)")
                // A mask shows that the source has repeated a key.
                if fault.name.hasPrefix("echo"), [200, 400].contains(fault.status) {
                    #expect(seen.masksOfLastLook > 0, "\(fault)")
                }
            }

            for method in ["server/hello", "server/stats", "source/list", "rpc.discover", "no/such"] {
                try seen.add(client.exchange(method, nil), method)
            }
            try home.runOthers { seen.add($0, $1) }
            searchd.signal(SIGTERM)
            #expect(try searchd.waitForExit() == 0)
            seen.add(searchd.output, "output")
            seen.add(searchd.errors, "log")
            for (path, bytes) in home.leftovers() { seen.add(bytes, path) }
            #expect(seen.findings.isEmpty, "\(seen.findings.sorted { $0.description < $1.description })")
            #expect(seen.bytes > 100_000)
        }
    }
}

/// Looks for keys in everything that a client receives.
private struct Seen {
    private let search: LeakSearch
    private(set) var findings: Set<LeakSearch.Finding> = []
    private(set) var bytes = 0
    private(set) var masksOfLastLook = 0

    init(_ search: LeakSearch) {
        self.search = search
    }

    mutating func add(_ bytes: [UInt8], _ place: String) {
        self.bytes += bytes.count
        findings.formUnion(search.findings(in: bytes, place: place))
    }

    mutating func add(_ text: String, _ place: String) {
        add(Array(text.utf8), place)
    }

    mutating func look(at client: TestClient, _ home: LeakHome, _ what: String) throws {
        masksOfLastLook = 0
        for source in home.sources {
            for more in [#""raw":true"#, #""stream":true"#] {
                let always = #""maxAge":0,"timeout":3000,"explain":true"#
                let params = #"{"query":"고양이 \#(what)","sources":["\#(source)"],\#(always),\#(more)}"#
                let bytes = try client.exchange("search", params)
                add(bytes, "\(what), \(source)")
                masksOfLastLook += bytes.count(of: "‹secret›", atMost: 10)
            }
        }
    }
}

extension TestClient {
    fileprivate func exchange(_ method: String, _ params: String?) throws -> [UInt8] {
        let start = Array("{\"jsonrpc\":\"2.0\",\"id\":\(try ask(method, params)),".utf8)
        var bytes: [UInt8] = []
        while true {
            let line = try line(awaiting: "the answer to \(method)")
            bytes += line + [0x0A]
            if line.starts(with: start) { return bytes }
        }
    }
}
