import Glibc
import TestSupport

/// A file system of a few bytes, in memory; only a privileged user can make one.
struct SmallDisk: Sendable {
    static let isPossible = SmallDisk(bytes: 1 << 16).map { $0.remove() } != nil

    private let parent: TemporaryDirectory
    let directory: TemporaryDirectory

    /// Nil without the right to mount.
    init?(bytes: Int) {
        parent = TemporaryDirectory()
        // Both texts live through the call.
        guard unsafe mount("tmpfs", parent.path, "tmpfs", 0, "size=\(bytes),mode=700") == 0 else { return nil }
        directory = TemporaryDirectory(under: parent.path)
    }

    func remove() {
        _ = unsafe umount2(parent.path, Int32(MNT_DETACH))
    }
}
