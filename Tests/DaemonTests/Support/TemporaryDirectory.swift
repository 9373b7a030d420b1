import CPlatform
import Glibc

/// A directory of one test, its owner's alone, gone with everything in it when the test is.
final class TemporaryDirectory: Sendable {
    let path: String

    /// In memory where there is room for it: a busy disk may take longer to write than a test waits.
    private static let parent = unsafe access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"

    init() {
        var template = "\(Self.parent)/searchd-test-XXXXXX".utf8CString
        // The array ends with NUL and lives through the call, which fills in the X.
        let isMade = unsafe template.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.map { unsafe mkdtemp($0) != nil } ?? false
        }
        precondition(isMade, "no temporary directory: errno \(platform_errno())")
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        Self.remove(path)
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file and returns its path.
    @discardableResult
    func write(_ text: String, to name: String, mode: mode_t = 0o600) -> String {
        let descriptor = unsafe open(file(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        precondition(descriptor >= 0, "\(file(name)) can't be written: errno \(platform_errno())")
        // The umask has no say in what a test means to write.
        fchmod(descriptor, mode)
        var text = text
        _ = text.withUTF8 { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
        return file(name)
    }

    /// Makes a directory and returns its path.
    @discardableResult
    func makeDirectory(_ name: String, mode: mode_t = 0o700) -> String {
        precondition(unsafe mkdir(file(name), 0o700) == 0, "\(file(name)) can't be made: errno \(platform_errno())")
        _ = unsafe chmod(file(name), mode)
        return file(name)
    }

    /// The text of a file; empty when there is none.
    func contents(of name: String) -> String {
        String(decoding: Self.bytes(of: file(name)), as: UTF8.self)
    }

    /// Every file in a directory and those below it, with its path and its bytes.
    static func files(below path: String) -> [(path: String, bytes: [UInt8])] {
        names(in: path).flatMap { name -> [(path: String, bytes: [UInt8])] in
            let inner = "\(path)/\(name)"
            return [(inner, Array(name.utf8) + bytes(of: inner))] + files(below: inner)
        }
    }

    private static func bytes(of path: String) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = unsafe read(descriptor, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
        return bytes
    }

    /// What stands at a name: the mode with its type; nil for nothing.
    func mode(of name: String) -> mode_t? {
        var status = stat()
        return unsafe lstat(file(name), &status) == 0 ? status.st_mode : nil
    }

    func isSocket(_ name: String) -> Bool {
        mode(of: name).map { $0 & S_IFMT == S_IFSOCK } ?? false
    }

    /// What is in it, sorted.
    var names: [String] { Self.names(in: path).sorted() }

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
