import EventLoop
import Glibc

/// A private directory for sockets, logs and state; it is removed with its last owner.
package final class TemporaryDirectory {
    package let path: String

    package init() throws(BenchmarkError) {
        // The environment does not change while this runs; the text is copied at once.
        let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/searchbench-XXXXXX".utf8CString)
        // mkdtemp writes within the template, which ends in zero.
        guard unsafe mkdtemp(&template) != nil else { throw SystemCall.failure("making a directory in \(parent)") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        Cleanup.add(directory: path)
    }

    deinit {
        Cleanup.remove(directory: path)
        Self.remove(path)
    }

    /// The path of something in it.
    package func file(_ name: String) -> String {
        "\(path)/\(name)"
    }

    /// Makes a directory in it, for this user alone.
    @discardableResult
    package func directory(_ name: String) throws(BenchmarkError) -> String {
        let path = file(name)
        _ = try SystemCall.checked("making \(path)") {
            // The path lasts as long as the call.
            unsafe mkdir(path, 0o700)
        }
        return path
    }

    /// Removes a directory and its contents as far as permissions allow; never follows a link.
    static func remove(_ path: String) {
        // The path lasts as long as each call.
        if unsafe unlink(path) == 0 { return }
        for name in SystemCall.names(in: path) ?? [] { remove("\(path)/\(name)") }
        _ = unsafe rmdir(path)
    }
}
