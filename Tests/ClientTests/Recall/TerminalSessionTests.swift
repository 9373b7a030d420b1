import Glibc
import Testing

@testable import Client

struct TerminalSessionTests {
    private static let numbers = (4...60).map(String.init).joined(separator: " ")

    @Test(arguments: ["bash", "a b", "x) S 1 2 3", ")", ""])
    func `the start of a process is found behind whatever its name is`(name: String) {
        #expect(TerminalSession.start(inStatus: "4711 (\(name)) S \(Self.numbers)\n") == 22)
    }

    @Test(arguments: [
        "", "4711 (bash", "4711 (bash) S 4 5 6", "4711 (bash) S 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 x",
    ])
    func `what is no such status has none`(status: String) {
        #expect(TerminalSession.start(inStatus: status) == nil)
    }

    @Test func `the session of this process is that of its leader, and stays the same`() {
        let session = TerminalSession.current()
        #expect(session == TerminalSession.current())
        #expect(session.split(separator: "-").first.map(String.init) == String(getsid(0)))
        #expect(Console(environment: Environment([:]), interrupt: nil).session == session)
    }
}
