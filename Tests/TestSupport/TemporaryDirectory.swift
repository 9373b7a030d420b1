package import Glibc

/// A directory for one test, for its owner alone; removed with everything in it when the test ends.
package final class TemporaryDirectory: Sendable {
    /// In memory where that is possible: a busy disk may take longer to write than a test waits.
    package static let fastParent = unsafe access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"

    package let path: String

    /// Makes it; `/dev/shm` may forbid to run programs, so those belong under `/tmp`.
    package init(under parent: String = fastParent) {
        var template = Array("\(parent)/searchd-test-XXXXXX".utf8CString)
        // The array ends with NUL and lives through the call, which replaces the six letters.
        precondition(unsafe mkdtemp(&template) != nil, "no temporary directory under \(parent): errno \(errno)")
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        Self.remove(path)
    }

    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file and returns its path.
    @discardableResult
    package func write(_ text: String, to name: String, mode: mode_t = 0o600) -> String {
        let descriptor = unsafe open(file(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        precondition(descriptor >= 0, "\(file(name)) can't be written: errno \(errno)")
        // The umask does not change the mode that a test asks for.
        fchmod(descriptor, mode)
        var text = text
        _ = text.withUTF8 { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
        return file(name)
    }

    /// Makes a directory and returns its path.
    @discardableResult
    package func makeDirectory(_ name: String, mode: mode_t = 0o700) -> String {
        precondition(unsafe mkdir(file(name), 0o700) == 0, "\(file(name)) can't be made: errno \(errno)")
        _ = unsafe chmod(file(name), mode)
        return file(name)
    }

    /// The text of a file; nil when there is none.
    package func contents(of name: String) -> String? {
        Self.bytes(of: file(name)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Every file in a directory and in those below it, with its path and its bytes.
    package static func files(below path: String) -> [(path: String, bytes: [UInt8])] {
        names(in: path).flatMap { name -> [(path: String, bytes: [UInt8])] in
            let inner = "\(path)/\(name)"
            return [(inner, Array(name.utf8) + (bytes(of: inner) ?? []))] + files(below: inner)
        }
    }

    private static func bytes(of path: String) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = unsafe read(descriptor, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
        return bytes
    }

    /// The mode of a file with its type; nil when there is none.
    package func mode(of name: String) -> mode_t? {
        var status = stat()
        return unsafe lstat(file(name), &status) == 0 ? status.st_mode : nil
    }

    package func isSocket(_ name: String) -> Bool {
        mode(of: name).map { $0 & S_IFMT == S_IFSOCK } ?? false
    }

    /// The names in it, sorted.
    package var names: [String] { Self.names(in: path).sorted() }

    /// Removes a file, or a directory and what is in it; links are not followed.
    private static func remove(_ path: String) {
        guard unsafe unlink(path) != 0 else { return }
        for name in names(in: path) { remove("\(path)/\(name)") }
        _ = unsafe rmdir(path)
    }

    private static func names(in path: String) -> [String] {
        guard let directory = unsafe opendir(path) else { return [] }
        defer { _ = unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            // The entry stays valid until the next readdir; its name is copied before.
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { field in
                unsafe String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
