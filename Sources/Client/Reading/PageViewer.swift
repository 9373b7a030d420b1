import SearchModel

/// Shows the text of a page in a pager, from a full-screen program that has lent its terminal.
package enum PageViewer {
    private static let seconds = 10

    /// Returns when the user has left the pager.
    ///
    /// - Throws: When the page can't be read, or without a pager.
    package static func show(_ url: String, _ connector: Connector, _ context: Context) throws(ClientError) {
        guard PagerChoice.words(context.environment) != nil else {
            throw ClientError(.init(.notFound), "no pager shows the page", hint: "Install less, or set PAGER.")
        }
        let reading = try PageReading(context.environment)
        let printer = Printer(context.console)
        try printer.print("reading \(VisibleText.visible(ReadableAddress.short(url)))…\n")
        let document = try connector.withExchange { exchange throws(ClientError) in
            try exchange.readPage(url, reading, within: seconds)
        }
        guard !document.blocks.isEmpty else { throw ClientError(.init(.notFound), "the page has no text") }
        let lines = PageText(columns: context.console.columns, style: Style(isOn: true)).lines(document)
        try printer.print(paged: lines.map { $0 + "\n" }.joined(), context, staysOpen: true)
    }
}
