/// How results are written.
package enum OutputFormat: Equatable, Sendable {
    /// One JSON text a line.
    case json
    /// For people.
    case text

    /// What was asked for; else text on a terminal and JSON elsewhere.
    package static func chosen(_ arguments: Arguments, outputIsTerminal: Bool) throws(ClientError) -> OutputFormat {
        switch (arguments.has(.json), arguments.has(.plain)) {
        case (true, true): throw ClientError(.usage, "--json and --plain exclude each other")
        case (true, false): .json
        case (false, true): .text
        case (false, false): outputIsTerminal ? .text : .json
        }
    }
}

extension CommandOption {
    static let json = CommandOption("json", help: "one JSON text a line, also on a terminal")
    static let plain = CommandOption("plain", help: "readable text, also where there is no terminal; no colours")
}

extension Style {
    /// What the command line, else the environment, else the terminal asks for.
    package init(_ arguments: Arguments, environment: Environment, isTerminal: Bool) {
        switch arguments.text(.color) {
        case "always": self.init(isOn: true)
        case "never": self.init(isOn: false)
        default: self.init(isOn: !arguments.has(.plain) && Self.isWanted(environment, isTerminal: isTerminal))
        }
    }

    private static func isWanted(_ environment: Environment, isTerminal: Bool) -> Bool {
        if environment["NO_COLOR"] != nil { return false }
        if let forced = environment["CLICOLOR_FORCE"], forced != "0" { return true }
        guard isTerminal, let terminal = environment["TERM"] else { return false }
        return terminal != "dumb"
    }
}
