import CPlatform
import EventLoop
import SearchModel

/// The program that shows web pages.
struct Browser {
    /// Programs and their arguments, best first; `%s` stands for the address, which else comes last.
    private let candidates: [[String]]

    /// After `$BROWSER`, a list of commands with colons between them; else the desktop's choice.
    init(_ environment: Environment) throws(ClientError) {
        let named = environment["BROWSER"]?.split(separator: ":").map { command in
            command.split(separator: " ").map(String.init)
        }
        candidates = (named ?? [["xdg-open"], ["open"]]).filter { !$0.isEmpty }
        if candidates.isEmpty {
            throw ClientError(.usage, "$BROWSER names no program", hint: "Set it to one, such as firefox")
        }
    }

    /// What is run for an address, best first.
    func commands(for target: String) -> [[String]] {
        candidates.map { words in
            let filled = words.map { $0 == "%s" ? target : $0 }
            return words.contains("%s") ? filled : filled + [target]
        }
    }

    /// Runs the first of them that there is; the program goes on when we have ended.
    func open(_ target: String) throws(ClientError) {
        for command in commands(for: target) where run(command) { return }
        throw ClientError(
            .init(.notFound),
            "there is no program to open web pages with (\(candidates.map { $0[0] }.joined(separator: ", ")))",
            hint: "Set BROWSER to one; the address is \(target)"
        )
    }

    /// Whether the program could be run; it goes on when we have ended.
    private func run(_ words: [String]) -> Bool {
        // The list lives through the call, which keeps none of it.
        unsafe withCStrings(words) { unsafe platform_spawn($0, nil, -1, -1) } > 0
    }
}
