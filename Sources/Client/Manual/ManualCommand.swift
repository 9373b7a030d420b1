/// `searchctl manual PAGE`: a manual page, as whoever packs or installs the programs wants it.
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
