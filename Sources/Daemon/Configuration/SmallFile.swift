import CPlatform
import EventLoop
import Glibc

/// Why a file could not be used, in a sentence that names it.
struct FileProblem: Error, Sendable {
    let message: String
    /// Whether the file is simply not there.
    let isMissing: Bool

    init(_ message: String, isMissing: Bool = false) {
        self.message = message
        self.isMissing = isMissing
    }
}

/// A small regular file, read whole; nothing else is opened for long.
struct SmallFile {
    let bytes: [UInt8]
    /// Whether group or others may read it.
    let isReadableByOthers: Bool
    /// Whether others may read it, whatever the group may.
    let isReadableByAll: Bool
    /// Whether others may write it, whatever the group may.
    let isWritableByAll: Bool

    /// The command that lets everyone read a file, or reach it in its directories.
    private static func opening(_ path: String) -> String {
        let parts = path.split(separator: "/").dropLast()
        let directories = parts.indices.map { "/" + parts[...$0].joined(separator: "/") }
        // The path lives through the call.
        let closed = directories.first { unsafe access($0, X_OK) != 0 }
        return closed.map { "chmod a+x \($0)" } ?? "chmod a+r \(path)"
    }

    static func read(_ path: String, bytesMax: Int) throws(FileProblem) -> SmallFile {
        // O_NONBLOCK: a pipe instead of the file must not hold the daemon up.
        let raw = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard raw >= 0 else {
            let number = platform_errno()
            let remedy = number == EACCES ? ", so searchd can't read it: \(Self.opening(path))" : ""
            throw FileProblem("\(SystemError(call: path, number: number))\(remedy)", isMissing: number == ENOENT)
        }
        let descriptor = FileDescriptor(owning: raw)
        var status = stat()
        guard unsafe fstat(descriptor.raw, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw FileProblem("\(path) is not a regular file")
        }
        guard status.st_size <= bytesMax else { throw FileProblem("\(path) is larger than \(bytesMax) bytes") }
        var bytes: [UInt8] = []
        while true {
            var chunk = [UInt8](repeating: 0, count: 64 << 10)
            // The array is ours alone and outlives the call.
            let count = unsafe chunk.withUnsafeMutableBytes {
                unsafe Glibc.read(descriptor.raw, $0.baseAddress, $0.count)
            }
            guard count >= 0 else { throw FileProblem("\(path) can't be read") }
            if count == 0 { break }
            bytes.append(contentsOf: chunk[..<count])
            guard bytes.count <= bytesMax else { throw FileProblem("\(path) is larger than \(bytesMax) bytes") }
        }
        return SmallFile(
            bytes: bytes,
            isReadableByOthers: status.st_mode & 0o044 != 0,
            isReadableByAll: status.st_mode & 0o004 != 0,
            isWritableByAll: status.st_mode & 0o002 != 0
        )
    }

    /// - Throws: For a file that anyone may have written.
    func refuseIfWritableByAll(_ path: String) throws(FileProblem) {
        guard isWritableByAll else { return }
        throw FileProblem("\(path) can be written by anyone: chmod o-w \(path)")
    }

    /// - Throws: For a directory that anyone may put files into; one in which no user may touch what others own, as in
    ///   /tmp, is fine for a file of our own.
    static func refuseDirectoryWritableByAll(_ path: String, forOneFile: Bool = false) throws(FileProblem) {
        var status = stat()
        // The structure lives on this frame.
        guard unsafe stat(path, &status) == 0, status.st_mode & 0o002 != 0 else { return }
        if forOneFile, status.st_mode & S_ISVTX != 0 { return }
        throw FileProblem("\(path) can be written by anyone: chmod o-w \(path)")
    }

    /// The names of a directory's entries, sorted; a missing directory has none.
    static func names(in directory: String) throws(FileProblem) -> [String] {
        if let names = SystemCall.names(in: directory) { return names.sorted() }
        let number = platform_errno()
        if number == ENOENT { return [] }
        throw FileProblem("\(SystemError(call: directory, number: number))")
    }
}
