import CPlatform
import Catalogue
import EventLoop
import Glibc

/// The content and the permissions of a small regular file.
struct SmallFile {
    let bytes: [UInt8]
    /// Whether anyone except the owner can read the file.
    let isReadableByOthers: Bool
    /// Whether users outside the file's group can read the file.
    let isReadableByAll: Bool
    let isWritableByAll: Bool

    static func read(_ path: String, bytesMax: Int) throws(CatalogueError) -> SmallFile {
        // With O_NONBLOCK, opening a pipe cannot block the daemon.
        let raw = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard raw >= 0 else {
            throw CatalogueError(file: path, "\(SystemError(call: "cannot be read", number: platform_errno()))")
        }
        let descriptor = FileDescriptor(owning: raw)
        var status = stat()
        guard unsafe fstat(descriptor.raw, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw CatalogueError(file: path, "is not a regular file")
        }
        let tooLarge = CatalogueError(file: path, "is larger than \(bytesMax) bytes")
        guard status.st_size <= bytesMax else { throw tooLarge }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            // Only this function uses the array, which is valid during the call.
            let count = unsafe chunk.withUnsafeMutableBytes {
                unsafe Glibc.read(descriptor.raw, $0.baseAddress, $0.count)
            }
            guard count >= 0 else { throw CatalogueError(file: path, "cannot be read") }
            if count == 0 { break }
            bytes.append(contentsOf: chunk[..<count])
            guard bytes.count <= bytesMax else { throw tooLarge }
        }
        return SmallFile(
            bytes: bytes,
            isReadableByOthers: status.st_mode & 0o044 != 0,
            isReadableByAll: status.st_mode & 0o004 != 0,
            isWritableByAll: status.st_mode & 0o002 != 0
        )
    }

    func refuseIfWritableByAll(_ path: String) throws(CatalogueError) {
        if isWritableByAll { throw .writableByAll(path) }
    }

    /// If `forOneFile` is true, allows a sticky directory such as /tmp, where only a file's owner can replace the file.
    static func refuseDirectoryWritableByAll(_ path: String, forOneFile: Bool = false) throws(CatalogueError) {
        var status = stat()
        // The kernel fills the variable during the call.
        guard unsafe stat(path, &status) == 0, status.st_mode & 0o002 != 0 else { return }
        if forOneFile, status.st_mode & S_ISVTX != 0 { return }
        throw .writableByAll(path)
    }

    static func isMissing(_ path: String) -> Bool {
        // The kernel copies the path during the call.
        unsafe access(path, F_OK) != 0 && platform_errno() == ENOENT
    }

    static func names(in directory: String) throws(CatalogueError) -> [String] {
        if let names = SystemCall.names(in: directory) { return names.sorted() }
        let number = platform_errno()
        if number == ENOENT { return [] }
        throw CatalogueError(file: directory, "\(SystemError(call: "cannot be read", number: number))")
    }

    static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}

extension CatalogueError {
    init(file: String, key: String = "", _ message: String) {
        self.init(file: file, line: 0, column: 0, key: key, message: message)
    }

    fileprivate static func writableByAll(_ path: String) -> CatalogueError {
        CatalogueError(file: path, "can be written by anyone: chmod o-w \(path)")
    }
}
