import Glibc

@testable import Client

/// A directory of one test, gone with everything in it when the test is.
final class TemporaryDirectory: Sendable {
    let path: String

    init() {
        let template = Array("/tmp/searchctl-test-XXXXXX\0".utf8)
        var made = template.map { CChar(bitPattern: $0) }
        // The array ends with NUL and lives through the call, which fills in the X.
        let result = unsafe made.withUnsafeMutableBufferPointer { buffer in
            unsafe buffer.baseAddress.flatMap { unsafe mkdtemp($0) } != nil
        }
        precondition(result, "no temporary directory")
        path = String(decoding: made.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        Self.remove(path)
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file that may be run.
    func write(_ text: String, to name: String) {
        let descriptor = unsafe open(file(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o700)
        let bytes = Array(text.utf8)
        // The array lives through the call.
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
    }

    /// The text of a file; nil when there is none.
    func contents(of name: String) -> String? {
        // The path lives through the call.
        let descriptor = unsafe open(file(name), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while let more = try? Transfers.read(descriptor, bytesMax: 1 << 16), !more.isEmpty { bytes += more }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Removes a file, or a directory and what is in it; links are not followed.
    private static func remove(_ path: String) {
        // The paths live through the calls; an entry of readdir is copied before the next call.
        guard unsafe unlink(path) != 0, let directory = unsafe opendir(path) else { return }
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { field in
                unsafe String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { remove("\(path)/\(name)") }
        }
        _ = unsafe closedir(directory)
        _ = unsafe rmdir(path)
    }
}
