import CPlatform
import Glibc
import JSON
import SearchModel

/// The program `searchd-reader`: a page on standard input, its readable document on standard output.
///
/// Pages come from strangers. So the program has limits on time, memory and input, and before it looks at the first
/// byte, it gives up opening files and connections.
package enum ReaderProgram {
    static let secondsMax: UInt32 = 5
    static let memoryBytesMax = 128 << 20
    private static let help = """
        usage: searchd-reader [--url URL] [--type TYPE] [--charset LABEL] <PAGE
        Prints the readable document of a web page as JSON, or {"error"} with exit status 65.

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
            end(70, STDERR_FILENO, Array("searchd-reader: the limits can't be set\n".utf8))
        }
        let page = input()
        // The tables of an encoding are files, so they are opened before files are out of reach.
        Charset.prepare(for: page, label: options["--charset"])
        guard platform_confine() == 0 else {
            end(70, STDERR_FILENO, Array("searchd-reader: the system calls can't be restricted\n".utf8))
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

    /// All of standard input, or a little more than the limit.
    private static func input() -> [UInt8] {
        var page: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while page.count <= PageDocument.pageBytesMax {
            // The array lives through the call, which fills at most its length.
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
            // The slice lives through the call, which only reads it.
            let count = unsafe rest.withUnsafeBytes { unsafe write(output, $0.baseAddress, $0.count) }
            if count < 0, platform_errno() == EINTR { continue }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        exit(status)
    }
}
