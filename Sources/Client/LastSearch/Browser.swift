import CPlatform
import EventLoop
import Glibc
import SearchModel

/// Opens web pages in the user's browser.
package struct Browser {
    private static let textBrowsers = [
        "w3m", "lynx", "elinks", "links", "links2", "www-browser", "browsh", "carbonyl", "cha",
    ]
    /// A graphical browser that runs longer than this has probably opened the page.
    private static let patience = Duration.seconds(2)

    private let candidates: [[String]]

    package init(_ environment: Environment, hasTerminal: Bool) throws(ClientError) {
        let named = environment["BROWSER"].map { [$0.split(separator: " ").map(String.init)] }
        let hasDesktop = environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
        let ofTerminal = hasDesktop || !hasTerminal ? [] : Self.textBrowsers.map { [$0] }
        candidates = (named ?? ofTerminal + [["xdg-open"], ["open"]]).filter { !$0.isEmpty }
        if candidates.isEmpty {
            throw ClientError(.usage, "$BROWSER contains no program", hint: "Set it to a program, such as firefox.")
        }
    }

    package func takesTerminal(_ environment: Environment) -> Bool {
        let first = candidates.first { ProgramSearch.path(of: $0[0], environment) != nil }
        return first.map { Self.isTextBrowser($0) } ?? false
    }

    package func open(_ target: String, errors: Int32 = -1, patience: Duration = patience) throws(ClientError) {
        for command in candidates {
            guard let status = try Self.run(command + [target], errors, patience) else { continue }
            guard status == 0 else {
                throw ClientError(
                    .init(.unavailable),
                    "\(command[0]) could not open the page (exit status \(status))",
                    hint: "Set BROWSER to another browser; the address is \(target)"
                )
            }
            return
        }
        let names = candidates.map { $0[0] }
        throw ClientError(
            .init(.notFound),
            "no browser was found (tried \(names.joined(separator: ", ")))",
            hint: "Set BROWSER to a browser; the address is \(target)"
        )
    }

    private static func isTextBrowser(_ words: [String]) -> Bool {
        textBrowsers.contains(words[0].split(separator: "/").last.map(String.init) ?? "")
    }

    /// Returns 0 if the program still runs, and nil if it does not exist.
    private static func run(_ words: [String], _ errors: Int32, _ patience: Duration) throws(ClientError) -> Int32? {
        if isTextBrowser(words) {
            guard var program = TerminalProgram.start(words) else { return nil }
            return program.finish() ?? 1
        }
        // The list is valid during the call. The call does not keep it.
        let process = unsafe withCStrings(words) { unsafe platform_spawn($0, nil, -1, errors) }
        guard process > 0 else { return nil }
        let end = platform_open_process(process)
        defer { if end >= 0 { close(end) } }
        guard end >= 0, try DescriptorIO.wait(for: end, until: Instant.now.advanced(by: patience)) == [true] else {
            WorkerThread.collect(process)
            return 0
        }
        return ChildProcess.wait(for: process) ?? 1
    }
}
