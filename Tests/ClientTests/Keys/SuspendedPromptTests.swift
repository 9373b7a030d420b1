import EventLoop
import Glibc
import RPC
import TestSupport
import Testing

@testable import Client

/// The key prompt of the real program, under a real shell with job control.
@Suite struct SuspendedPromptTests {
    private static let key = "0123456789abcdef0123456789abcdef"
    private static let source =
        #"{"source":"kakao.blog","kind":"blog","account":"kakao","title":"","enabled":false,"reason":"notConfigured","#
        + #""keys":[{"way":"","secrets":[{"name":"key","present":false}]}]}"#

    private let directory = TemporaryDirectory()

    @Test func `after Ctrl-Z and fg the key is still not shown, and stopped the terminal is as it was`() throws {
        let daemon = try ScriptedDaemon(
            at: directory.file("socket"),
            [.hello: Documents.hello(user: geteuid()), .sourceList: #"{"sources":[\#(Self.source)]}"#]
        )
        let terminal = try PseudoTerminal()
        let shell = try Self.startShell(on: terminal, home: directory.path, socket: daemon.path)
        defer {
            kill(shell, SIGKILL)
            waitpid(shell, nil, 0)
        }
        _ = try shown(terminal, until: "ready> ")
        terminal.type("\(try Self.program()) keys set kakao\n")
        _ = try shown(terminal, until: "kakao key: ")
        #expect(!terminal.echoes)
        terminal.type("\u{1A}")
        _ = try shown(terminal, until: "ready> ")
        // The shell edits its line itself; what it starts finds the terminal as the prompt left it.
        terminal.type("stty -a; stty echo\n")
        #expect(try shown(terminal, until: "ready> ").contains(" echo "))
        terminal.type("fg\n")
        let again = try shown(terminal, until: "kakao key: ")
        terminal.type("\(Self.key)\n")
        #expect(try !(again + shown(terminal, until: "ready> ")).contains(Self.key))
        #expect(directory.contents(of: ".config/searchd/keys/kakao.key") == Self.key + "\n")
    }

    /// What the terminal shows until a text comes.
    private func shown(_ terminal: PseudoTerminal, until text: String) throws -> String {
        let deadline = Instant.now.advanced(by: .seconds(60))
        var shown = ""
        while !shown.contains(text) {
            let ready = try Transfers.wait(for: terminal.person, until: deadline)
            try #require(ready == [true], "the terminal shows \(shown), and not \(text)")
            shown += String(decoding: try Transfers.read(terminal.person, bytesMax: 4096) ?? [], as: UTF8.self)
        }
        return shown
    }

    /// `searchctl` beside the tests.
    private static func program() throws -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        // The kernel fills at most the array's length, during the call.
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        let path = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return path.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/searchctl"
    }

    /// An interactive shell whose terminal this is.
    private static func startShell(on terminal: PseudoTerminal, home: String, socket: String) throws -> pid_t {
        let words = ["bash", "--norc", "--noprofile", "--noediting", "-i"]
        let variables = ["PATH=/usr/bin:/bin", "HOME=\(home)", "TERM=dumb", "PS1=ready> ", "SEARCHD_SOCKET=\(socket)"]
        var attributes = posix_spawnattr_t()
        var actions = unsafe posix_spawn_file_actions_t()
        // All that is lent lives through the calls, which keep copies of their own.
        unsafe posix_spawnattr_init(&attributes)
        unsafe posix_spawn_file_actions_init(&actions)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        // POSIX_SPAWN_SETSID: the first terminal that the leader of a session opens is its own.
        unsafe posix_spawnattr_setflags(&attributes, 0x80)
        unsafe posix_spawn_file_actions_addopen(&actions, 0, terminal.programPath, O_RDWR, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, 0, 1)
        unsafe posix_spawn_file_actions_adddup2(&actions, 0, 2)
        var process: pid_t = 0
        let failure = unsafe withCStrings(words) { words in
            unsafe withCStrings(variables) { variables in
                guard let words = unsafe words, let variables = unsafe variables else { return ENOMEM }
                return unsafe posix_spawnp(&process, "bash", &actions, &attributes, words, variables)
            }
        }
        try #require(failure == 0)
        return process
    }
}
