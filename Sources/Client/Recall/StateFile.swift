import EventLoop
import Glibc

/// A small file that only its user can read, and that is there in whole or as it was before.
enum StateFile {
    /// Puts other contents in its place; false when they can't be written.
    @discardableResult
    static func replace(_ name: String, in directory: String, with text: [UInt8]) -> Bool {
        Transfers.makeDirectories(directory)
        let draft = "\(directory)/.\(name).\(getpid())"
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
        // The paths live through the calls.
        let descriptor = unsafe open(draft, flags, 0o600)
        guard descriptor >= 0 else { return false }
        let file = FileDescriptor(owning: descriptor)
        var rest = text[...]
        while !rest.isEmpty, let count = try? Transfers.write(rest, to: file.raw), count > 0 {
            rest = rest.dropFirst(count)
        }
        if rest.isEmpty, unsafe rename(draft, "\(directory)/\(name)") == 0 { return true }
        _ = unsafe unlink(draft)
        return false
    }

    /// Nil for a file that can't be read, or has more bytes than that.
    static func contents(of path: String, bytesMax: Int) -> [UInt8]? {
        // The path lives through the call.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        let file = FileDescriptor(owning: descriptor)
        var bytes: [UInt8] = []
        while let more = try? Transfers.read(file.raw, bytesMax: 1 << 16), !more.isEmpty {
            bytes += more
            guard bytes.count <= bytesMax else { return nil }
        }
        return bytes
    }
}
