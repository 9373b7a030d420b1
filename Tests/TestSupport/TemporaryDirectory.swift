package import Glibc

/// A directory for one test.
///
/// It is removed when this object is destroyed.
package final class TemporaryDirectory: Sendable {
    /// A parent directory in memory if possible, because tests may time out on a busy disk.
    package static let fastParent = unsafe access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"

    package let path: String

    /// Programs need a directory under `/tmp`, because `/dev/shm` may be mounted with noexec.
    package init(under parent: String = fastParent) {
        var template = Array("\(parent)/searchd-test-XXXXXX".utf8CString)
        // The array ends with NUL and is valid during the call, which replaces six letters.
        precondition(unsafe mkdtemp(&template) != nil, "no temporary directory under \(parent): errno \(errno)")
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        Self.remove(path)
    }

    package func file(_ name: String) -> String { "\(path)/\(name)" }

    @discardableResult
    package func write(_ text: String, to name: String, mode: mode_t = 0o600) -> String {
        let isProgram = mode & 0o100 != 0
        write(text, toFile: isProgram ? "\(name).text" : name, mode)
        if isProgram { ProgramFile.copy(file("\(name).text"), to: file(name)) }
        return file(name)
    }

    private func write(_ text: String, toFile name: String, _ mode: mode_t) {
        let descriptor = unsafe open(file(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        precondition(descriptor >= 0, "\(file(name)) can't be written: errno \(errno)")
        // The umask does not affect fchmod.
        fchmod(descriptor, mode)
        var text = text
        _ = text.withUTF8 { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
    }

    @discardableResult
    package func makeDirectory(_ name: String, mode: mode_t = 0o700) -> String {
        precondition(unsafe mkdir(file(name), 0o700) == 0, "\(file(name)) can't be made: errno \(errno)")
        _ = unsafe chmod(file(name), mode)
        return file(name)
    }

    package func contents(of name: String) -> String? {
        Self.bytes(of: file(name)).map { String(decoding: $0, as: UTF8.self) }
    }

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

    /// The mode includes the type of the file.
    package func mode(of name: String) -> mode_t? {
        var status = stat()
        return unsafe lstat(file(name), &status) == 0 ? status.st_mode : nil
    }

    package func isSocket(_ name: String) -> Bool {
        mode(of: name).map { $0 & S_IFMT == S_IFSOCK } ?? false
    }

    package var names: [String] { Self.names(in: path).sorted() }

    /// Does not follow links.
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
            // The entry is valid until the next readdir, and its name is copied before that.
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { field in
                unsafe String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}

/// A small file system in memory, for tests of a full disk.
package struct SmallDisk: Sendable {
    package static let isPossible = SmallDisk(bytes: 1 << 16).map { $0.remove() } != nil

    private let parent: TemporaryDirectory
    package let directory: TemporaryDirectory

    /// Returns nil if this process may not mount file systems.
    package init?(bytes: Int) {
        parent = TemporaryDirectory()
        // Both texts are valid during the call.
        guard unsafe mount("tmpfs", parent.path, "tmpfs", 0, "size=\(bytes),mode=700") == 0 else { return nil }
        directory = TemporaryDirectory(under: parent.path)
    }

    /// Returns false while a file is open for writing.
    package func change(isReadOnly: Bool) -> Bool {
        let flags = UInt(MS_REMOUNT | (isReadOnly ? MS_RDONLY : 0))
        // The path is valid during the call.
        return unsafe mount("tmpfs", parent.path, "tmpfs", flags, nil) == 0
    }

    package func remove() {
        _ = unsafe umount2(parent.path, Int32(MNT_DETACH))
    }
}
