/// A loop on a dedicated thread, for work that may block, such as disk access.
package struct LoopThread: ~Copyable {
    package let loop: EventLoop
    private let thread: WorkerThread

    package init(named name: String) throws(SystemError) {
        let loop = try EventLoop(mayBeHeld: true)
        thread = try loop.startThread(named: name)
        self.loop = loop
    }

    /// Stops the loop after the turn under way, and waits for the thread.
    package consuming func stop() {
        loop.stop()
        thread.join()
    }
}

extension EventLoop {
    /// Runs this loop on a dedicated thread until `stop`.
    package func startThread(named name: String) throws(SystemError) -> WorkerThread {
        try WorkerThread(named: name) { self.run() }
    }
}
