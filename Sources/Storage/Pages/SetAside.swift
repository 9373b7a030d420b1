import EventLoop
import Glibc

/// Renames a file that can't be used, so that it can be examined later; only the last one is kept.
enum SetAside {
    private static let mark = ".corrupt-"
    /// What SQLite puts beside a file.
    private static let companions = ["-wal", "-shm", "-journal"]

    /// The new name; nil when it can't be moved.
    static func move(_ path: String, at seconds: Int64) -> String? {
        removeOthers(of: path)
        let target = "\(path)\(mark)\(seconds)"
        guard unsafe rename(path, target) == 0 else { return nil }
        for companion in companions { _ = unsafe unlink(path + companion) }
        return target
    }

    private static func removeOthers(of path: String) {
        let directory = PrivateFile.directory(of: path)
        let start = PrivateFile.name(of: path) + mark
        for name in SystemCall.names(in: directory) ?? [] where name.hasPrefix(start) {
            _ = unsafe unlink("\(directory)/\(name)")
        }
    }
}
