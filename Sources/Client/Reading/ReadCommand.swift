import EventLoop
import JSON
import RPC
import SearchModel

/// The command `searchctl read`, which prints the text of a page.
enum ReadCommand {
    private static let secondsDefault = 10

    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        try context.arguments.refuseSeveral(of: .markdown, .json, .links, .rawPage)
        try context.arguments.refuseSeveral(of: .fresh, .maxAge)
        let url = try address(context.arguments.words[0], context)
        let seconds = context.arguments.duration(.timeout).map { max(1, Int($0.components.seconds)) } ?? secondsDefault
        let settings = { (writer: inout JSONWriter) in
            writer.member(.maxAge, context.arguments.maxAge)
            if context.arguments.has(.isPrivate) { writer.member(.private, true) }
        }
        let connector = try Connector(context)
        if context.arguments.has(.rawPage) {
            let page = try connector.withExchange { exchange throws(ClientError) in
                try exchange.fetchPage(url, within: seconds, settings)
            }
            return try print(raw: page, context)
        }
        let reading = try PageReading(context.environment)
        let document = try connector.withExchange { exchange throws(ClientError) in
            try exchange.readPage(url, reading, within: seconds, settings)
        }
        try print(document, context)
        guard document.blocks.isEmpty else { return .found }
        context.console.report("searchctl: the page has no text; “searchctl open” shows it in the browser")
        return .nothingFound
    }

    private static func address(_ word: String, _ context: Context) throws(ClientError) -> String {
        if LibraryEntry.isWebAddress(word) { return word }
        guard let hit = try OpenCommand.hits([word], max: 1, context).first else { return word }
        return try OpenCommand.address(of: hit)
    }

    private static func print(_ document: PageDocument, _ context: Context) throws(ClientError) {
        if context.arguments.has(.json) { return try context.console.print(json: document.json[...]) }
        let text: String
        if context.arguments.has(.markdown) {
            text = PageMarkdown.text(document)
        } else if context.arguments.has(.links) {
            text = document.links.enumerated().map { "\($0 + 1)\t\(VisibleText.visible($1))\n" }.joined()
        } else {
            text = PageText(columns: context.console.columns, style: context.style).lines(document).map { $0 + "\n" }
                .joined()
        }
        try context.console.print(paged: text, context, mayPage: !context.arguments.has(.noPager))
    }

    private static func print(raw page: JSONCursor, _ context: Context) throws(ClientError) -> ExitStatus {
        let bytes = page[.data]?.string.flatMap { Base64.bytes(of: $0) } ?? []
        guard context.console.outputIsTerminal else {
            try context.console.print(bytes)
            return .found
        }
        let lines = String(decoding: bytes, as: UTF8.self).unicodeScalars.split(separator: "\n")
        try context.console.print(paged: lines.map { VisibleText.visible(String($0)) + "\n" }.joined(), context)
        return .found
    }
}

/// Makes a hit from a web page, so that the page can be saved.
enum SavedPage {
    static let kind = "page"

    static func id(of url: String) -> String { "\(SourceName.web):\(StableHash.text(of: url))" }

    /// Calls `warn` if the page can't be read, so only its address is saved.
    static func hit(
        _ url: String,
        _ context: Context,
        warn: (_ lines: [String]) -> Void
    ) throws(ClientError) -> JSONCursor {
        let rest = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).last ?? ""
        guard let start = rest.first, !"/?#:@ ".contains(start) else {
            throw ClientError(.usage, "“\(url)” has no host", hint: "Give a complete http or https address.")
        }
        let connector = try Connector(context)
        // Without a daemon, the command ends here.
        _ = try connector.connect()
        var document: PageDocument?
        do throws(ClientError) {
            let reading = try PageReading(context.environment)
            document = try connector.withExchange { exchange throws(ClientError) in
                try exchange.readPage(url, reading, within: 10)
            }
        } catch {
            guard [.badResponse, .unavailable, .timeout, .forbidden].map(ClientError.Code.init).contains(error.code)
            else {
                throw error
            }
            let undo = "searchctl unsave \(id(of: url))"
            warn([FailureText.line(error), "So only the address is saved. “\(undo)” removes it."])
        }
        var entry = LibraryEntry()
        entry.id = id(of: url)
        entry.kind = kind
        entry.url = url
        entry.title = LibraryEntry.line(document?.title ?? url)
        entry.author = document?.author.map(LibraryEntry.line)
        let first = document?.blocks.first { $0.kind == .paragraph }?.text
        entry.snippet = (document?.summary ?? first).map { LibraryEntry.line(String($0.prefix(500))) }
        if let (text, precision) = document?.published.flatMap({
            ImportTime.published($0) ?? ImportTime.published(String($0.prefix(10)))
        }) {
            (entry.published, entry.precision) = (text, precision)
        }
        guard let root = try? JSONDocument(entry.item).root else {
            throw ClientError(.system, "the page can't be saved")
        }
        return root
    }
}

extension CommandOption {
    static let markdown = CommandOption("markdown", help: "print Markdown, with the links in the text")
    static let links = CommandOption("links", help: "print the number and address of each link")
    static let rawPage = CommandOption("raw", help: "print the page as the server sent it")
    static let ofRead = [markdown, json, plain, links, rawPage, fresh, maxAge, timeout, isPrivate, noPager]
}
