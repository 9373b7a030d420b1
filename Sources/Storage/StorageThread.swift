package import EventLoop

/// The thread that storage has to itself: a loop that may block, and sleeps without a wake-up while there is nothing.
package struct StorageThread: ~Copyable {
    /// The executor of the actors that own files.
    package let loop: EventLoop
    private let thread: LoopThread

    package init() throws(SystemError) {
        let loop = try EventLoop()
        let thread = try loop.startThread(named: "storage")
        self.loop = loop
        self.thread = thread
    }

    /// Ends it once the owners have closed their files.
    package consuming func stop() {
        loop.stop()
        thread.join()
    }
}
