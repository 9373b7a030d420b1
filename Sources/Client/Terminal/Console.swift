import CPlatform
import Glibc
package import Terminal

/// The standard descriptors of a command, and the properties of their terminal.
package struct Console: Sendable {
    package var input: Int32 = STDIN_FILENO
    package var output: Int32 = STDOUT_FILENO
    package var errors: Int32 = STDERR_FILENO
    /// A descriptor that becomes readable at Ctrl-C.
    package var interrupt: Int32?
    package var outputIsTerminal = false
    package var errorsIsTerminal = false
    package var terminalName: String?
    package var session = ""
    package var columns = Console.columnsDefault

    package var errorColumns: Int?

    package static let columnsDefault = 80
    package static let columnsMax = 120

    package init() {}

    package init(environment: Environment, interrupt: Int32?) {
        self.interrupt = interrupt
        outputIsTerminal = isatty(output) == 1
        errorsIsTerminal = isatty(errors) == 1
        terminalName = [errors, output, input].lazy.compactMap(Self.name).first
        session = TerminalSession.current()
        let named = environment["COLUMNS"].flatMap { Int($0) }
        let columns = (outputIsTerminal ? Self.terminalSize(output)?.columns : nil) ?? named
        if let columns, columns > 0 { self.columns = min(columns, Self.columnsMax) }
        if errorsIsTerminal {
            errorColumns = min(Self.terminalSize(errors)?.columns ?? self.columns, Self.columnsMax)
        }
    }

    package func report(_ line: String) {
        let lines = errorColumns.map { Layout(columns: $0).fitted(line) } ?? [line]
        write(lines.map { $0 + "\n" }.joined(), to: errors)
    }

    /// The command is not wrapped, so that the user can copy it.
    func report(_ text: String, command: String) {
        let fits = errorColumns.map { Layout.width(text) + 1 + Layout.width(command) <= $0 } ?? true
        write(text + (fits ? " " : "\n  ") + command + "\n", to: errors)
    }

    func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            // The kernel reads within the slice, which is valid during the call.
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    func takeInterrupt() {
        if let interrupt { _ = platform_next_signal(interrupt) }
    }

    var outputIsPipe: Bool {
        var status = stat()
        // The call fills `status`, which is valid during the call.
        guard unsafe fstat(output, &status) == 0 else { return false }
        return [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
    }

    private static func name(of descriptor: Int32) -> String? {
        var name = [CChar](repeating: 0, count: 64)
        // The call writes a text that ends with zero, within the given length.
        guard unsafe ttyname_r(descriptor, &name, name.count) == 0 else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    package static func cellSize(_ descriptor: Int32) -> CellSize? {
        guard let size = windowSize(descriptor) else { return nil }
        let (width, height) = (Int(size.ws_xpixel / size.ws_col), Int(size.ws_ypixel / size.ws_row))
        return width > 1 && height > 1 ? CellSize(width: width, height: height) : nil
    }

    package static func terminalSize(_ descriptor: Int32) -> (columns: Int, rows: Int)? {
        windowSize(descriptor).map { (Int($0.ws_col), Int($0.ws_row)) }
    }

    private static func windowSize(_ descriptor: Int32) -> winsize? {
        var size = winsize()
        // The kernel fills `size`, which is valid during the call.
        let isKnown = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        return isKnown && size.ws_col > 0 && size.ws_row > 0 ? size : nil
    }
}

extension Console {
    func print(_ text: String) throws(ClientError) {
        try print(Array(text.utf8))
    }

    func print(json: ArraySlice<UInt8>) throws(ClientError) {
        try print(VisibleJSON.line(json, isTerminal: outputIsTerminal))
    }

    func print(_ bytes: [UInt8]) throws(ClientError) {
        var rest = bytes[...]
        while !rest.isEmpty { rest = rest.dropFirst(try DescriptorIO.write(rest, to: output)) }
    }
}
