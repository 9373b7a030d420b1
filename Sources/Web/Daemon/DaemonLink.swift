package import Client
package import EventLoop
import Glibc
package import JSON
package import RPC
import SearchModel

/// The web server's connection to the daemon, which all web requests share; closed when idle.
package actor DaemonLink: LoopActor {
    package typealias Notified = @Sendable (NotificationName, JSONCursor) -> Void

    /// The daemon allows 256 requests in flight.
    private static let callsMax = 240
    private static let connectTime = Duration.milliseconds(500)
    private static let idleTime = Duration.seconds(60)

    private struct Call {
        let continuation: CheckedContinuation<Result<JSONCursor, ClientError>, Never>
        let notified: Notified?
        let timer: Timer
    }

    package nonisolated let loop: EventLoop
    private let connector: Connector
    private let ended: @Sendable () -> Void
    private var connection: DaemonConnection?
    private var watch: (Watch, Interest)?
    private var calls: [Int: Call] = [:]
    private var lastID = 0
    private var idleTimer: Timer?

    package init(on loop: EventLoop, connector: Connector, ended: @escaping @Sendable () -> Void = {}) {
        (self.loop, self.connector, self.ended) = (loop, connector, ended)
    }

    /// Connects if necessary.
    ///
    /// `notified` gets each notification that belongs to this call.
    package func call(
        _ method: MethodName,
        _ params: [UInt8]? = nil,
        within time: Duration = .seconds(30),
        notified: Notified? = nil
    ) async throws(ClientError) -> JSONCursor {
        guard calls.count < Self.callsMax else {
            throw ClientError(.init(.overloaded), "too many requests are waiting", hint: "Try again in a second.")
        }
        try connect()
        lastID += 1
        let id = lastID
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let timer = schedule(at: loop.now.advanced(by: time)) { link in
                    link.cancel(id, ClientError(.init(.timeout), "searchd did not answer in time"))
                }
                calls[id] = Call(continuation: continuation, notified: notified, timer: timer)
                send(RequestLine.request(id, method, params: params))
                if Task.isCancelled { cancel(id, Self.cancelled) }
            }
        } onCancel: {
            performLater { $0.cancel(id, Self.cancelled) }
        }
        return try result.get()
    }

    private static let cancelled = ClientError(.init(.cancelled), "the request was cancelled")

    private func finish(_ id: Int, _ result: Result<JSONCursor, ClientError>) {
        guard let call = calls.removeValue(forKey: id) else { return }
        loop.cancel(call.timer)
        call.continuation.resume(returning: result)
        guard calls.isEmpty, connection != nil else { return }
        idleTimer = schedule(at: loop.now.advanced(by: Self.idleTime)) { $0.disconnect() }
    }

    private func cancel(_ id: Int, _ error: ClientError) {
        guard calls[id] != nil else { return }
        connection?.cancel(id)
        finish(id, .failure(error))
    }

    private func received(_ line: [UInt8]) throws(ClientError) {
        switch try Message.read(line) {
        case .result(let id, let result): finish(id, .success(result))
        case .failure(let id?, let error): finish(id, .failure(error))
        case .failure(nil, let error): throw error
        case .notification(let method, let params):
            guard let params, let id = params[.request]?.int, let name = NotificationName(rawValue: method)
            else { return }
            calls[id]?.notified?(name, params)
        }
    }

    private func connect() throws(ClientError) {
        if let idleTimer { loop.cancel(idleTimer) }
        idleTimer = nil
        guard connection == nil else { return }
        var made = try connector.connect(until: .now.advanced(by: Self.connectTime))
        let hello = JSONWriter.bytes { $0.member(.client, "searchd-web") }
        lastID += 1
        try made.send(line: RequestLine.request(lastID, .hello, params: hello))
        do throws(SystemError) {
            let watch = try loop.watch(made.polled.fd, .readable) { [weak self] _ in self?.onLoop { $0.move() } }
            self.watch = (watch, .readable)
        } catch {
            throw ClientError(error)
        }
        connection = consume made
    }

    private func send(_ line: [UInt8]) {
        do throws(ClientError) {
            try connection?.send(line: line)
            setInterest()
        } catch {
            disconnect(error)
        }
    }

    private func move() {
        do throws(ClientError) {
            guard let (lines, hasEnded) = try connection?.move() else { return }
            for line in lines { try received(line) }
            if hasEnded { throw Connector.lost }
            setInterest()
        } catch {
            disconnect(error)
        }
    }

    private func setInterest() {
        guard let (watch, old) = watch, let events = connection?.polled.events else { return }
        let interest: Interest = events & Int16(POLLOUT) != 0 ? [.readable, .writable] : .readable
        guard interest != old else { return }
        self.watch = (watch, interest)
        try? loop.change(watch, to: interest)
    }

    package func disconnect(_ error: ClientError = Connector.lost) {
        if let idleTimer { loop.cancel(idleTimer) }
        idleTimer = nil
        if let watch { loop.unwatch(watch.0) }
        watch = nil
        connection = nil
        ended()
        for id in calls.keys { finish(id, .failure(error)) }
    }
}
