import Glibc

/// A file system of a few bytes, in memory; only a privileged user can make one.
package struct SmallDisk: Sendable {
    package static let isPossible = SmallDisk(bytes: 1 << 16).map { $0.remove() } != nil

    private let parent: TemporaryDirectory
    package let directory: TemporaryDirectory

    /// Nil without the right to mount.
    package init?(bytes: Int) {
        parent = TemporaryDirectory()
        // Both texts live through the call.
        guard unsafe mount("tmpfs", parent.path, "tmpfs", 0, "size=\(bytes),mode=700") == 0 else { return nil }
        directory = TemporaryDirectory(under: parent.path)
    }

    /// Whether it could be done; it can't while a file is open to be written.
    package func change(isReadOnly: Bool) -> Bool {
        let flags = UInt(MS_REMOUNT | (isReadOnly ? MS_RDONLY : 0))
        // The path lives through the call.
        return unsafe mount("tmpfs", parent.path, "tmpfs", flags, nil) == 0
    }

    package func remove() {
        _ = unsafe umount2(parent.path, Int32(MNT_DETACH))
    }
}
