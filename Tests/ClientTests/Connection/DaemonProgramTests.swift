import Testing

@testable import Client

struct DaemonProgramTests {
    @Test func `the daemon beside the program comes before those in PATH`() {
        #expect(
            DaemonProgram.candidates(ownPath: "/opt/bin/searchctl", searchPath: "/usr/bin:/bin")
                == ["/opt/bin/searchd", "/usr/bin/searchd", "/bin/searchd"]
        )
    }

    @Test func `relative directories are never looked into`() {
        #expect(DaemonProgram.candidates(ownPath: nil, searchPath: ":.:bin:/bin").map(\.self) == ["/bin/searchd"])
        #expect(DaemonProgram.candidates(ownPath: nil, searchPath: nil).isEmpty)
    }

    @Test func `the log lies in the state directory`() {
        #expect(
            DaemonLog(environment: Environment(["XDG_STATE_HOME": "/s", "HOME": "/h"])).path == "/s/searchd/searchd.log"
        )
        #expect(DaemonLog(environment: Environment(["HOME": "/h"])).path == "/h/.local/state/searchd/searchd.log")
        #expect(DaemonLog(environment: Environment([:])).path == nil)
    }
}
