import CPlatform
import EventLoop
package import JSON
import RPC
package import SearchModel

/// Runs the program `searchd-reader`, which turns a web page into a readable document.
package struct PageReading: Sendable {
    private static let memoryBytesMax = 128 << 20
    private static let processorSecondsMax: UInt32 = 5
    private static let timeout = Duration.seconds(6)
    private static let outputBytesMax = 32 << 20
    private static let documentLimits = JSONLimits(depthMax: 16, bytesMax: outputBytesMax)
    private static let argumentBytesMax = 4096

    private let program: String

    package init(_ environment: Environment) throws(ClientError) {
        guard let found = InstalledProgram.find("searchd-reader", environment: environment) else {
            let hint = "Install searchd again. “scripts/install” puts the program in libexec/searchd."
            throw ClientError(.system, "the program searchd-reader is missing", hint: hint)
        }
        program = found
    }

    /// Reads the result of `page/get`.
    ///
    /// Blocks for at most `timeout`.
    package func document(of page: JSONCursor) throws(ClientError) -> PageDocument {
        let bytes = page[.data]?.string.flatMap { Base64.bytes(of: $0) } ?? []
        var words = [program]
        for (option, member) in [("--url", Member.url), ("--type", .type), ("--charset", .charset)] {
            guard let text = page[member]?.string, text.utf8.count <= Self.argumentBytesMax else { continue }
            words += [option, text]
        }
        let process = FilterProcess(
            words,
            bytes,
            memoryBytesMax: Self.memoryBytesMax,
            secondsMax: Self.processorSecondsMax,
            timeout: Self.timeout,
            outputBytesMax: Self.outputBytesMax
        )
        guard let process else { throw ClientError(SystemError(call: program, number: platform_errno())) }
        guard let root = try? JSONDocument(process.run(), limits: Self.documentLimits).root else {
            let limits = "\(Self.processorSecondsMax) s or \(Self.memoryBytesMax >> 20) MiB"
            throw Self.unreadable("the page takes more than \(limits) to read")
        }
        if let message = root[.message]?.string { throw Self.unreadable(message) }
        var document = PageDocument(root)
        document.url = page[.url]?.string
        return document
    }

    private static func unreadable(_ message: String) -> ClientError {
        ClientError(.init(.badResponse), message, hint: "Open the address in a browser.", isRetryable: false)
    }
}

/// Decides which pages to fetch for a document, because some pages only show another page in a frame.
package struct PageVisit: Sendable {
    private static let framesMax = 2

    package private(set) var next: String?
    package private(set) var document: PageDocument?
    private var framesLeft = framesMax

    package init(_ url: String) { next = url }

    package mutating func add(_ page: PageDocument) {
        document = document.map { page.filled(from: $0) } ?? page
        next = framesLeft > 0 ? page.frame : nil
        framesLeft -= 1
    }

    /// Throws the error, unless an earlier page had text.
    package mutating func end<Failure: Error>(_ error: Failure) throws(Failure) {
        guard document?.blocks.isEmpty == false else { throw error }
        next = nil
    }
}

extension DaemonConnection {
    package mutating func readPage(
        _ url: String,
        _ reading: PageReading,
        within seconds: Int,
        _ more: (inout JSONWriter) -> Void = { _ in }
    ) throws(ClientError) -> PageDocument {
        var visit = PageVisit(url)
        while let address = visit.next {
            do throws(ClientError) {
                visit.add(try reading.document(of: fetchPage(address, within: seconds, more)))
            } catch {
                try visit.end(error)
            }
        }
        return visit.document ?? PageDocument()
    }

    package mutating func fetchPage(
        _ url: String,
        within seconds: Int,
        _ more: (inout JSONWriter) -> Void = { _ in }
    ) throws(ClientError) -> JSONCursor {
        let params = JSONWriter.bytes { writer in
            writer.member(.url, url)
            writer.member(.timeout, seconds * 1000)
            more(&writer)
        }
        return try ask(.page, params: params, within: seconds + 5)
    }
}
