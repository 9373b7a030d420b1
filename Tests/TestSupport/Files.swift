package import Glibc

/// Reads and writes files without buffers, because some tests kill the process that writes.
package enum Files {
    package static func append(_ count: Int, to path: String) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        let bytes = [UInt8](repeating: 0x2E, count: count)
        // The array is valid during the call.
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }

    package static func append(_ text: String, to path: String) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        // The array is valid during the call.
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }

    package static func write(_ bytes: [UInt8], to path: String) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        // The array is valid during the call.
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }

    package static func contents(of path: String) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: size(of: path))
        // The call writes at most the length of the array, which is valid during the call.
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        return Array(bytes.prefix(max(0, count)))
    }

    @discardableResult
    package static func remove(_ path: String) -> Bool {
        unsafe unlink(path) == 0
    }

    package static func fill(_ path: String) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        for size in [4096, 1] {
            let bytes = [UInt8](repeating: 0, count: size)
            // The array is valid during the call.
            while unsafe Glibc.write(descriptor, bytes, bytes.count) > 0 {}
        }
    }

    package static func size(of path: String) -> Int {
        status(of: path).map { Int($0.st_size) } ?? 0
    }

    package static func mode(of path: String) -> mode_t? {
        status(of: path).map { $0.st_mode & 0o7777 }
    }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status : nil
    }
}
