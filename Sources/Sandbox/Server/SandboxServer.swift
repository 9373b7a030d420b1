package import EventLoop
import Glibc
import HTTP

/// The imitated APIs behind an HTTP/1.1 server on 127.0.0.1.
package actor SandboxServer: LoopActor {
    package nonisolated let loop: EventLoop
    /// The port that the kernel gave, or the one that was asked for.
    package nonisolated let port: UInt16
    package nonisolated var base: String { "http://127.0.0.1:\(port)" }
    /// More than these wait in the kernel until one leaves.
    package static let connectionsMax = 4096
    /// How long accepting rests when descriptors have run out.
    private static let restAfterFailure = Duration.milliseconds(100)

    private let connectionsMax: Int
    private let listener: LoopbackListener
    private var listenerWatch: Watch?
    private var isAccepting = true
    private var responder: SandboxResponder
    var connections: [Int32: SandboxConnection] = [:]
    var signals: SignalWatch?

    private init(
        loop: EventLoop,
        listener: consuming LoopbackListener,
        options: SandboxOptions,
        connectionsMax: Int
    ) {
        let port = listener.port
        self.loop = loop
        self.connectionsMax = connectionsMax
        self.listener = listener
        self.port = port
        var options = options
        options.base = "http://127.0.0.1:\(port)"
        responder = SandboxResponder(options: options)
    }

    /// Listens and serves until `stop`; port 0 takes a free one.
    package static func start(
        on loop: EventLoop,
        port: UInt16 = 0,
        options: SandboxOptions = SandboxOptions(),
        connectionsMax: Int = SandboxServer.connectionsMax
    ) async throws(SystemError) -> SandboxServer {
        let server = SandboxServer(
            loop: loop,
            listener: try LoopbackListener(port: port),
            options: options,
            connectionsMax: connectionsMax
        )
        try await server.listen()
        return server
    }

    /// Closes the listener and every connection.
    package func stop() {
        if let listenerWatch { loop.unwatch(listenerWatch) }
        listenerWatch = nil
        for connection in connections.values { close(connection) }
    }

    package var counts: SandboxCounts { responder.counts }

    package var options: SandboxOptions { responder.options }

    /// Changes options while it runs; what has been counted stays.
    package func change(_ body: @Sendable (inout SandboxOptions) -> Void) {
        body(&responder.options)
    }

    /// Takes back counts, quotas and faults, as if the server had just started with its options.
    package func reset() {
        responder.reset()
    }

    private func listen() throws(SystemError) {
        // Until `stop` the loop keeps the server alive.
        listenerWatch = try loop.watch(listener.descriptor.raw, .readable) { [self] _ in
            onLoop { $0.accept() }
        }
    }

    private func accept() {
        while isAccepting {
            guard connections.count < connectionsMax else { return setAccepting(false) }
            do {
                guard let descriptor = try SystemCall.accept(listener.descriptor.raw) else { return }
                try welcome(descriptor)
            } catch {
                // Out of descriptors: the listener stays ready, so without a rest the loop would spin.
                setAccepting(false)
                _ = loop.schedule(at: loop.now.advanced(by: Self.restAfterFailure)) { [weak self] in
                    self?.onLoop { $0.acceptAgain() }
                }
            }
        }
    }

    private func welcome(_ descriptor: consuming FileDescriptor) throws(SystemError) {
        let raw = descriptor.raw
        LoopbackListener.sendAtOnce(raw)
        let connection = SandboxConnection(descriptor: descriptor)
        connection.watch = try loop.watch(raw, .readable) { [weak self] readiness in
            self?.onLoop { $0.isReady(raw, readiness) }
        }
        connections[raw] = connection
    }

    /// There is room again.
    func acceptAgain() {
        if !isAccepting, connections.count < connectionsMax { setAccepting(true) }
    }

    private func setAccepting(_ isAccepting: Bool) {
        self.isAccepting = isAccepting
        guard let listenerWatch else { return }
        do throws(SystemError) {
            try loop.change(listenerWatch, to: isAccepting ? .readable : [])
        } catch {
            // Only a defect of this server lets epoll refuse a descriptor that it watches.
            preconditionFailure("\(error)")
        }
    }

    /// The answer to a request, now.
    func answer(_ request: HTTPRequest) -> SandboxAnswer {
        responder.respond(to: request, at: Self.realtime())
    }

    private static func realtime() -> Int64 {
        var time = timespec()
        // Writes the structure that lives on this stack frame.
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
