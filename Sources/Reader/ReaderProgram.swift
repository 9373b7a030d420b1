import CPlatform
import Glibc
import JSON
import SearchModel

/// The program `searchd-reader`, which reads a page from stdin and writes its readable document as JSON.
package enum ReaderProgram {
    static let secondsMax: UInt32 = 5
    static let memoryBytesMax = 128 << 20
    private static let help = """
        usage: searchd-reader [--url URL] [--type TYPE] [--charset LABEL] <PAGE
        Prints the readable document of a web page as JSON. If the page is not readable, prints
        {error, message} and exits with 65.

        """

    package static func run(_ arguments: some Sequence<String>) -> Never {
        let words = Array(arguments)
        if words == ["--help"] { end(0, STDOUT_FILENO, Array(help.utf8)) }
        var options: [String: String] = [:]
        for place in stride(from: 0, to: words.count, by: 2) {
            guard ["--url", "--type", "--charset"].contains(words[place]), place + 1 < words.count else {
                end(2, STDERR_FILENO, Array(help.utf8))
            }
            options[words[place]] = words[place + 1]
        }
        guard platform_limit_reader(memoryBytesMax, secondsMax) == 0 else {
            end(70, STDERR_FILENO, Array("searchd-reader: cannot set the limits\n".utf8))
        }
        let page = input()
        // iconv reads its tables from files, so load them before files become inaccessible.
        Charset.prepare(for: page, label: options["--charset"])
        guard platform_confine() == 0 else {
            end(70, STDERR_FILENO, Array("searchd-reader: cannot restrict the system calls\n".utf8))
        }
        do throws(ReadingError) {
            let document = try PageDocument(
                reading: page,
                type: options["--type"],
                charset: options["--charset"],
                at: options["--url"]
            )
            end(0, STDOUT_FILENO, document.json + [0x0A])
        } catch {
            let document: JSONValue = ["error": .string(error.rawValue), "message": .string(error.message)]
            end(65, STDOUT_FILENO, document.bytes + [0x0A])
        }
    }

    private static func input() -> [UInt8] {
        var page: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while page.count <= PageDocument.pageBytesMax {
            // The array is valid during the call, which writes at most its length.
            let count = unsafe read(STDIN_FILENO, &piece, piece.count)
            if count < 0, platform_errno() == EINTR { continue }
            guard count > 0 else { break }
            page += piece.prefix(count)
        }
        return page
    }

    private static func end(_ status: Int32, _ output: Int32, _ bytes: [UInt8]) -> Never {
        var rest = bytes[...]
        while !rest.isEmpty {
            // The slice is valid during the call, which only reads it.
            let count = unsafe rest.withUnsafeBytes { unsafe write(output, $0.baseAddress, $0.count) }
            if count < 0, platform_errno() == EINTR { continue }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        exit(status)
    }
}
