import Engine
import EventLoop

/// The sources in force; replaced as a whole, so that a search sees either the old ones or the new.
final class DirectoryBox: Sendable {
    private let directory: Locked<SourceDirectory>

    init(_ directory: SourceDirectory) {
        self.directory = Locked(directory)
    }

    var current: SourceDirectory { directory.withLock { $0 } }
}
