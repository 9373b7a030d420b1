import CCurl

// The callbacks for one exchange. libcurl passes the exchange to them as an unretained pointer.

extension EasyHandle {
    func report(to exchange: HTTPTransfer) {
        // MultiHandle retains the exchange while libcurl has the pointer.
        let context = unsafe Unmanaged.passUnretained(exchange).toOpaque()
        check(unsafe ccurl_on_header(pointer, headLineArrived, context), CURLOPT_HEADERFUNCTION)
        check(unsafe ccurl_on_body(pointer, bodyArrived, context), CURLOPT_WRITEFUNCTION)
        check(unsafe ccurl_on_ready_to_send(pointer, readyToSend, context), CURLOPT_PREREQFUNCTION)
        check(unsafe ccurl_on_open_socket(pointer, openSocket, context), CURLOPT_OPENSOCKETFUNCTION)
    }
}

/// libcurl expects the number of accepted bytes, so 0 stops the transfer.
private let stop = 0

private let headLineArrived: curl_write_callback = { bytes, size, count, context in
    guard let bytes = unsafe bytes, let context = unsafe context, size * count > 0 else { return 0 }
    // MultiHandle retains the exchange.
    let exchange = unsafe Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
    // libcurl guarantees size * count bytes during the callback. The exchange copies them.
    let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count).bindMemory(to: UInt8.self)
    return exchange.received(headLine: unsafe line.span) ? size * count : stop
}

private let bodyArrived: curl_write_callback = { bytes, size, count, context in
    guard let bytes = unsafe bytes, let context = unsafe context, size * count > 0 else { return 0 }
    // MultiHandle retains the exchange.
    let exchange = unsafe Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
    // libcurl guarantees size * count bytes during the callback. The exchange copies them.
    let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count).bindMemory(to: UInt8.self)
    return exchange.received(body: unsafe piece.span) ? size * count : stop
}

private let readyToSend: curl_prereq_callback = { context, address, _, port, _ in
    guard let context = unsafe context else { return CURL_PREREQFUNC_ABORT }
    // MultiHandle retains the exchange.
    let exchange = unsafe Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
    let port = UInt16(truncatingIfNeeded: port)
    // The text ends with NUL and is valid during the callback.
    let maySend = exchange.readyToSend(
        to: unsafe address.flatMap { unsafe PeerAddress(text: String(cString: $0), port: port) }
    )
    return maySend ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

private let openSocket: curl_opensocket_callback = { context, _, peer in
    guard let context = unsafe context, let peer = unsafe peer else { return CURL_SOCKET_BAD }
    // MultiHandle retains the exchange.
    let exchange = unsafe Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
    // libcurl's address is complete and valid during the callback.
    guard exchange.mayConnect(to: unsafe PeerAddress(peer)) else { return CURL_SOCKET_BAD }
    let socket = unsafe ccurl_open_socket(peer)
    if socket == CURL_SOCKET_BAD, ccurl_lacks_descriptors() != 0 { exchange.lacksDescriptors = true }
    return socket
}

extension PeerAddress {
    fileprivate init?(_ peer: UnsafePointer<curl_sockaddr>) {
        var bytes = [UInt8](repeating: 0, count: 16)
        var port: UInt16 = 0
        // The function writes at most 16 bytes, and reads no more than the length of the address.
        let count = Int(unsafe ccurl_peer(peer, &bytes, &port))
        guard count > 0 else { return nil }
        self.init(bytes: Array(bytes[..<count]), port: port)
    }
}
