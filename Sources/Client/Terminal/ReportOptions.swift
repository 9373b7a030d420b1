extension CommandOption {
    /// `--json` of what is no list of hits.
    static let jsonReport = CommandOption(
        "json",
        value: .optional("1", of: [jsonVersion]),
        help: "JSON, for programs",
        manual: "--json=1 asks for that version: members may be added within it, but none is removed or changed."
    )
    /// `--plain` of what is no list of hits.
    static let plainReport = CommandOption("plain", help: "without colours")

    /// How a report is written.
    static let ofReport = [jsonReport, plainReport]
}
