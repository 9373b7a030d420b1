/// The manual pages that are written from tables of the program; the others are files in `systemd/man`.
enum ManualPage: String, CaseIterable, Sendable {
    case searchctl = "searchctl.1"
    case wire = "searchd-protocol.7"

    /// The page as man(1) reads it.
    var text: String {
        switch self {
        case .searchctl: SearchctlManual.page(of: CommandTable.commands)
        case .wire: ProtocolManual.page
        }
    }
}

/// Something with a name that a manual page explains.
struct ManualEntry: Sendable {
    let name: String
    /// What goes with the name, as the word for an option's value.
    let form: String
    let meaning: String

    init(_ name: String, _ form: String = "", _ meaning: String) {
        self.name = name
        self.form = form
        self.meaning = meaning
    }
}

extension Roff {
    mutating func entries(_ entries: [ManualEntry]) {
        for item in entries {
            entry(item.form.isEmpty ? item.name : "\(item.name) \(item.form)", item.meaning)
        }
    }
}

/// `searchctl manual PAGE`: a manual page, for packages and installations.
enum ManualCommand {
    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let name = arguments.words.first ?? ""
        guard let page = ManualPage(rawValue: name) else {
            let names = ManualPage.allCases.map(\.rawValue)
            throw ClientError(
                .usage,
                "there is no manual page “\(name)”",
                hint: "The pages are \(names.joined(separator: ", "))"
            )
        }
        try Printer(context.console).print(page.text)
        return .found
    }
}
