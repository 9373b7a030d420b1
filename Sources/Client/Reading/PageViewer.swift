import SearchModel

/// Shows the text of a page in a pager.
///
/// The caller must release the terminal first.
package enum PageViewer {
    private static let seconds = 10

    package static func show(_ url: String, _ connector: Connector, _ context: Context) throws(ClientError) {
        guard PagerChoice.words(context.environment) != nil else {
            throw ClientError(.init(.notFound), "no pager was found", hint: "Install less, or set PAGER.")
        }
        let reading = try PageReading(context.environment)
        let progress = ProgressLine(console: context.console, isOn: true)
        progress.show("reading \(ReadableAddress.short(url))…")
        defer { progress.clear() }
        let document = try connector.withExchange { exchange throws(ClientError) in
            try exchange.readPage(url, reading, within: seconds)
        }
        guard !document.blocks.isEmpty else { throw ClientError(.init(.notFound), "the page has no text") }
        progress.clear()
        let lines = PageText(columns: context.console.columns, style: Style(isOn: true)).lines(document)
        try context.console.print(paged: lines.map { $0 + "\n" }.joined(), context, staysOpen: true)
    }
}
