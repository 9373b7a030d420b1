package import Glibc

/// Single bytes in files, written as a program does that may be killed: with the system's call and no buffer.
package enum Files {
    package static func append(_ count: Int, to path: String) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        let bytes = [UInt8](repeating: 0x2E, count: count)
        // The array lives through the call.
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }

    package static func append(_ text: String, to path: String) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        // The array lives through the call.
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }

    package static func write(_ bytes: [UInt8], to path: String) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        // The array lives through the call.
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }

    package static func contents(of path: String) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: size(of: path))
        // The array lives through the call, and is as long as it says.
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        return Array(bytes.prefix(max(0, count)))
    }

    /// Whether there was such a file.
    @discardableResult
    package static func remove(_ path: String) -> Bool {
        unsafe unlink(path) == 0
    }

    /// Writes until the disk is full.
    package static func fill(_ path: String) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        for size in [4096, 1] {
            let bytes = [UInt8](repeating: 0, count: size)
            // The array lives through the call.
            while unsafe Glibc.write(descriptor, bytes, bytes.count) > 0 {}
        }
    }

    /// 0 when there is none.
    package static func size(of path: String) -> Int {
        status(of: path).map { Int($0.st_size) } ?? 0
    }

    /// The rights of a file or directory.
    package static func mode(of path: String) -> mode_t? {
        status(of: path).map { $0.st_mode & 0o7777 }
    }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status : nil
    }
}
