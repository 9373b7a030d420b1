import Glibc

/// A directory of one test, gone with everything in it when the test is.
package final class ScratchDirectory: Sendable {
    /// In memory where the machine has such a place, for tests to which the disk only is slow.
    package static let fastParent = unsafe access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"

    package let path: String

    /// Makes one under a directory for temporary files.
    package init(under parent: String = "/tmp") {
        var name = Array("\(parent)/searchd-test-XXXXXX".utf8CString)
        // The array ends with NUL and lives through the call, which writes over the six letters.
        precondition(unsafe mkdtemp(&name) != nil, "no temporary directory under \(parent)")
        path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// The names in it, sorted.
    package var names: [String] { Self.names(in: path).sorted() }

    private static func remove(_ path: String) {
        // A link is removed, not followed: `unlink` comes first.
        guard unsafe unlink(path) != 0 else { return }
        for name in names(in: path) { remove("\(path)/\(name)") }
        _ = unsafe rmdir(path)
    }

    private static func names(in path: String) -> [String] {
        var found: [String] = []
        // The stream is this function's own; an entry holds until the next one is read.
        guard let stream = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(stream) }
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { field in
                unsafe String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { found.append(name) }
        }
        return found
    }
}
