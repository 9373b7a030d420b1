/// The options that every command takes.
extension CommandOption {
    static let socket = CommandOption(
        "socket",
        value: .text("PATH"),
        help: "where the daemon listens; else $SEARCHD_SOCKET, else the usual places",
        suggestion: .files
    )
    static let noStart = CommandOption("no-start", help: "fail when no daemon answers, instead of starting one")
    static let color = CommandOption(
        "color",
        value: .choice("WHEN", of: ["auto", "always", "never"]),
        help: "colours and links: auto, always or never"
    )
    static let help = CommandOption("help", letter: "h", help: "show this help")
    static let version = CommandOption("version", help: "show the version")

    package static let common = [socket, noStart, color, help, version]
}
