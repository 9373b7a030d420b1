import CCurl
import EventLoop

/// A libcurl multi handle on the event loop.
///
/// `@safe`, because it owns its pointer until the handle is freed.
@safe
final class MultiHandle {
    enum Wake: Sendable {
        case socket(Int32, Readiness)
        case timer
    }

    private let pointer: UnsafeMutableRawPointer
    private let loop: EventLoop
    private let woken: @Sendable (Wake) -> Void
    private var watches: [Int32: Watch] = [:]
    private var timer: Timer?
    /// The exchanges that libcurl points to; the keys are the addresses of their easy handles.
    private var attached: [UInt: HTTPTransfer] = [:]
    private var isClosed = false
    private(set) var isUsable = true

    init(loop: EventLoop, idleConnectionsMax: Int, woken: @escaping @Sendable (Wake) -> Void) {
        CurlLibrary.prepare()
        guard let pointer = unsafe ccurl_multi_init() else { fatalError("libcurl has no memory for a multi handle") }
        unsafe self.pointer = pointer
        self.loop = loop
        self.woken = woken
        // libcurl calls back only while this object calls libcurl, so the unretained pointer is valid.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe ccurl_multi_on_socket(pointer, socketChanged, context)
        unsafe ccurl_multi_on_timer(pointer, timerChanged, context)
        unsafe ccurl_multi_set_long(pointer, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        unsafe ccurl_multi_set_long(pointer, CURLMOPT_MAXCONNECTS, idleConnectionsMax)
    }

    deinit {
        guard !isClosed else { return }
        // Any thread may release the last reference, but only the loop may close the handle.
        loop.perform(closing())
    }

    func close() {
        precondition(!isClosed, "a multi handle is closed twice")
        isClosed = true
        closing()()
    }

    /// The closure must not retain this object.
    private func closing() -> @Sendable () -> Void {
        precondition(attached.isEmpty, "a multi handle is closed with exchanges in it")
        let address = unsafe UInt(bitPattern: pointer)
        return { [loop, watches, timer] in
            watches.values.forEach(loop.unwatch)
            if let timer { loop.cancel(timer) }
            let pointer = unsafe UnsafeMutableRawPointer(bitPattern: address)
            // Only this closure uses the handle now. Without callbacks, libcurl does not access this object.
            unsafe ccurl_multi_on_socket(pointer, nil, nil)
            unsafe ccurl_multi_on_timer(pointer, nil, nil)
            unsafe ccurl_multi_cleanup(pointer)
        }
    }

    // MARK: Exchanges

    func add(_ exchange: HTTPTransfer, _ easy: EasyHandle) {
        attached[easy.address] = exchange
        // `attached` keeps the exchange and its easy handle alive.
        let code = unsafe ccurl_multi_add_handle(pointer, easy.pointer)
        precondition(code == CURLM_OK, "libcurl does not accept a prepared handle")
    }

    func remove(_ easy: EasyHandle) {
        // The handle was added and not yet removed.
        let code = unsafe ccurl_multi_remove_handle(pointer, easy.pointer)
        precondition(code == CURLM_OK, "libcurl does not remove a handle")
        attached[easy.address] = nil
    }

    func nextEnded() -> (HTTPTransfer, CURLcode)? {
        var result = CURLE_OK
        // libcurl returns only handles that were added, and `attached` has their exchanges.
        guard let easy = unsafe ccurl_multi_next_done(pointer, &result) else { return nil }
        let exchange = attached[UInt(bitPattern: easy)]
        return exchange.map { ($0, result) }
    }

    // MARK: Events

    func act(on wake: Wake) {
        switch wake {
        case .timer:
            timer = nil
            act(on: CURL_SOCKET_TIMEOUT, 0)
        case .socket(let descriptor, let readiness):
            let isBroken = readiness.contains(.hangup) || readiness.contains(.failure)
            var events: Int32 = 0
            if readiness.contains(.readable) || isBroken { events |= CURL_CSELECT_IN }
            if readiness.contains(.writable) || isBroken { events |= CURL_CSELECT_OUT }
            act(on: descriptor, events)
        }
    }

    private func act(on descriptor: Int32, _ events: Int32) {
        var running: Int32 = 0
        // The handle is open, and no callback is running.
        let code = unsafe ccurl_multi_socket_action(pointer, descriptor, events, &running)
        if code != CURLM_OK { isUsable = false }
    }

    // MARK: Requests of libcurl

    fileprivate func watch(_ descriptor: Int32, _ interest: Interest) -> Bool {
        do {
            if let watch = watches[descriptor] {
                try loop.change(watch, to: interest)
            } else {
                watches[descriptor] = try loop.watch(descriptor, interest) { [woken] readiness in
                    woken(.socket(descriptor, readiness))
                }
            }
            return true
        } catch {
            return false
        }
    }

    fileprivate func unwatch(_ descriptor: Int32) {
        if let watch = watches.removeValue(forKey: descriptor) { loop.unwatch(watch) }
    }

    fileprivate func call(after milliseconds: Int) {
        if let timer { loop.cancel(timer) }
        timer = nil
        guard milliseconds >= 0 else { return }
        timer = loop.schedule(at: loop.now.advanced(by: .milliseconds(milliseconds))) { [woken] in woken(.timer) }
    }
}

private let socketChanged: curl_socket_callback = { _, descriptor, change, context, _ in
    guard let context = unsafe context else { return -1 }
    // The context is the handle that makes this call.
    let handle = unsafe Unmanaged<MultiHandle>.fromOpaque(context).takeUnretainedValue()
    switch change {
    case CURL_POLL_IN: return handle.watch(descriptor, .readable) ? 0 : -1
    case CURL_POLL_OUT: return handle.watch(descriptor, .writable) ? 0 : -1
    case CURL_POLL_INOUT: return handle.watch(descriptor, [.readable, .writable]) ? 0 : -1
    default:
        handle.unwatch(descriptor)
        return 0
    }
}

private let timerChanged: curl_multi_timer_callback = { _, milliseconds, context in
    guard let context = unsafe context else { return -1 }
    // The context is the handle that makes this call.
    let handle = unsafe Unmanaged<MultiHandle>.fromOpaque(context).takeUnretainedValue()
    handle.call(after: milliseconds)
    return 0
}
