import CPlatform
import EventLoop
import Glibc

/// Keeps the daemon's socket where clients look for it: when its file is removed, another one is bound.
///
/// Nothing wakes the daemon while the file stands. `@unchecked Sendable`: confined to the loop, which every entry
/// asserts.
final class SocketKeeper: @unchecked Sendable {
    /// How long until the next look, when the path is taken or the file can't be watched.
    static let lookAgainAfter = Duration.seconds(5)

    /// What tells that the file may have been removed.
    private final class Removals {
        let watch: Watch
        private let descriptor: FileDescriptor

        init(_ descriptor: consuming FileDescriptor, _ watch: Watch) {
            self.descriptor = descriptor
            self.watch = watch
        }
    }

    private let file: SocketFile
    private let loop: EventLoop
    private let log: Log
    /// Serves another listening socket from now on.
    private let serve: @Sendable (Int32) throws(SystemError) -> Void
    private var removals: Removals?
    private var timer: Timer?
    /// What is wrong, which is logged once.
    private var trouble: String?
    private var hasEnded = false

    /// - Parameters:
    ///   - file: The socket's.
    ///   - loop: Where it watches.
    ///   - log: Gets what happens to it.
    ///   - serve: Takes over a listening socket that was bound anew, which replaces the one before.
    init(
        _ file: SocketFile,
        on loop: EventLoop,
        log: Log,
        serve: @escaping @Sendable (Int32) throws(SystemError) -> Void
    ) {
        self.file = file
        self.loop = loop
        self.log = log
        self.serve = serve
    }

    /// Watches from now on.
    func begin() {
        loop.checkIsolated()
        look()
    }

    /// Watches no more, and removes the file if it is the daemon's own.
    func end() {
        loop.checkIsolated()
        hasEnded = true
        stopWatching()
        file.remove()
    }

    private func look() {
        guard !hasEnded else { return }
        stopWatching()
        switch file.standing {
        case .own:
            watch()
        case .nothing:
            restore()
        case .other:
            complain("something else stands at \(file.path), so no client finds this daemon: remove it")
            lookAgain()
        }
    }

    private func restore() {
        do throws(SystemError) {
            let listener = try file.restore()
            try serve(listener.release())
            trouble = nil
            log.warning("the socket \(file.path) was removed; it has been made again")
            watch()
        } catch {
            complain("the socket \(file.path) was removed and can't be made again: \(error)")
            lookAgain()
        }
    }

    private func watch() {
        let raw = unsafe platform_watch_removal(file.path, file.directory)
        guard raw >= 0 else { return lookAgain() }
        let descriptor = FileDescriptor(owning: raw)
        guard let watch = try? loop.watch(raw, .readable, handler: { [self] _ in look() }) else { return lookAgain() }
        removals = Removals(descriptor, watch)
        // It may have been removed on the way here.
        if file.standing != .own { loop.perform { [self] in look() } }
    }

    private func stopWatching() {
        if let removals { loop.unwatch(removals.watch) }
        removals = nil
        if let timer { loop.cancel(timer) }
        timer = nil
    }

    private func lookAgain() {
        timer = loop.schedule(at: loop.now.advanced(by: Self.lookAgainAfter)) { [self] in look() }
    }

    private func complain(_ text: String) {
        if text != trouble { log.error(text) }
        trouble = text
    }
}
