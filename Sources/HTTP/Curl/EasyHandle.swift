import CCurl
import EventLoop
import Glibc

/// A libcurl easy handle.
///
/// `@safe`, because it owns its pointers from init to deinit.
@safe
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    private let detailBuffer: UnsafeMutablePointer<CChar>
    private var list: UnsafeMutablePointer<curl_slist>?
    /// False for a POST, because a POST sets options that a later request must not have.
    var isReusable = true

    init(_ configuration: HTTPClientConfiguration) {
        CurlLibrary.prepare()
        guard let pointer = unsafe ccurl_easy_init() else { fatalError("libcurl has no memory for a handle") }
        unsafe self.pointer = pointer
        unsafe detailBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe detailBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        setCommonOptions(configuration)
    }

    deinit {
        // The handle was removed from its multi handle, so no other code uses these pointers.
        unsafe ccurl_easy_cleanup(pointer)
        unsafe ccurl_slist_free_all(list)
        unsafe detailBuffer.deallocate()
    }

    var address: UInt { unsafe UInt(bitPattern: pointer) }

    /// Removes the header fields of the last request.
    ///
    /// The handle must not be in a multi handle.
    func leave() {
        check(unsafe ccurl_set_list(pointer, CURLOPT_HTTPHEADER, nil), CURLOPT_HTTPHEADER)
        // libcurl has no pointer to the list any more.
        unsafe ccurl_slist_free_all(list)
        unsafe list = nil
    }

    var detail: String {
        // libcurl ends the text with NUL within CURL_ERROR_SIZE.
        unsafe String(cString: detailBuffer)
    }

    // MARK: Options

    func set(_ option: CURLoption, _ value: Int) {
        // The option takes a long, which is the same as Int.
        check(unsafe ccurl_set_long(pointer, option, value), option)
    }

    func set(_ option: CURLoption, _ value: String) {
        // libcurl copies the string.
        check(unsafe ccurl_set_string(pointer, option, value), option)
    }

    /// The line "Name:" removes a header line that libcurl would send.
    func setLines(_ lines: [String]) {
        for line in lines {
            // libcurl copies the line. It returns nil if it is out of memory.
            guard let longer = unsafe ccurl_slist_append(list, line) else { fatalError("no memory for a header line") }
            unsafe list = longer
        }
        // The list is valid until `leave`.
        check(unsafe ccurl_set_list(pointer, CURLOPT_HTTPHEADER, list), CURLOPT_HTTPHEADER)
    }

    func check(_ code: CURLcode, _ option: CURLoption) {
        guard code != CURLE_OK else { return }
        // libcurl returns a static string for each code.
        fatalError("libcurl refuses option \(option.rawValue): \(unsafe String(cString: ccurl_easy_strerror(code)))")
    }

    // MARK: Information after the transfer

    func number(_ info: CURLINFO) -> Int {
        var value = 0
        // The info is a long. On failure, the value stays 0.
        _ = unsafe ccurl_get_long(pointer, info, &value)
        return value
    }

    var systemError: String? {
        let code = number(CURLINFO_OS_ERRNO)
        // The text is copied before the next call on this thread.
        return code == 0 ? nil : unsafe String(cString: strerror(Int32(truncatingIfNeeded: code)))
    }

    func offset(_ info: CURLINFO) -> Int {
        var value: Int64 = 0
        // The info is a curl_off_t. On failure, the value stays 0.
        _ = unsafe ccurl_get_offset(pointer, info, &value)
        return Int(value)
    }

    func string(_ info: CURLINFO) -> String? {
        var value: UnsafePointer<CChar>?
        // The string belongs to the handle and is copied before the handle is used again.
        guard unsafe ccurl_get_string(pointer, info, &value) == CURLE_OK else { return nil }
        return unsafe value.map { unsafe String(cString: $0) }
    }
}

extension EasyHandle {
    func prepare(_ hop: Hop) {
        // The buffer has CURL_ERROR_SIZE bytes.
        unsafe detailBuffer[0] = 0
        set(CURLOPT_URL, hop.url.text)
        set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
        // If a connection to the server is being opened, wait for it, because it may support HTTP/2.
        set(CURLOPT_PIPEWAIT, hop.url.origin.isSecure ? 1 : 0)
        setMethod(hop)
        setFields(hop)
    }

    func setCommonOptions(_ configuration: HTTPClientConfiguration) {
        // The buffer has CURL_ERROR_SIZE bytes and is valid as long as the handle.
        check(unsafe ccurl_set_pointer(pointer, CURLOPT_ERRORBUFFER, detailBuffer), CURLOPT_ERRORBUFFER)
        set(CURLOPT_NOSIGNAL, 1)
        // Without this option, the end of a transfer blocks the loop until the resolver's thread ends.
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        set(CURLOPT_PROXY, "")
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_USERAGENT, configuration.userAgent)
        // Empty means all encodings that libcurl can decode.
        set(CURLOPT_ACCEPT_ENCODING, "")
        if let authorities = configuration.authorities { set(CURLOPT_CAINFO, authorities) }
        // With a directory of certificates, libcurl would spend 20 ms on each connection.
        check(unsafe ccurl_set_string(pointer, CURLOPT_CAPATH, nil), CURLOPT_CAPATH)
    }

    private func setMethod(_ hop: Hop) {
        isReusable = hop.method == "GET"
        guard hop.method == "POST" else { return }
        // libcurl copies the bytes.
        check(unsafe ccurl_set_body(pointer, hop.body, hop.body.count), CURLOPT_COPYPOSTFIELDS)
    }

    private func setFields(_ hop: Hop) {
        var lines = hop.fields.fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        if hop.method == "POST" {
            lines.append("Expect:")
            if hop.fields["Content-Type"] == nil { lines.append("Content-Type:") }
        }
        if !lines.isEmpty { setLines(lines) }
    }
}

extension EasyHandle {
    var fields: HTTPFields {
        var fields = HTTPFields()
        var last: UnsafeMutablePointer<curl_header>?
        // Each header belongs to the handle. Its texts end with NUL and are copied here.
        while let next = unsafe ccurl_easy_nextheader(pointer, UInt32(CURLH_HEADER), -1, last) {
            unsafe fields.append(String(cString: next.pointee.name), String(cString: next.pointee.value))
            unsafe last = next
        }
        return fields
    }

    func metrics(elapsed: Duration) -> FetchMetrics {
        FetchMetrics(
            elapsed: elapsed,
            bytesReceived: number(CURLINFO_HEADER_SIZE) + offset(CURLINFO_SIZE_DOWNLOAD_T),
            reusedConnection: number(CURLINFO_NUM_CONNECTS) == 0,
            isHTTP2: number(CURLINFO_HTTP_VERSION) == CURL_HTTP_VERSION_2_0
        )
    }
}

enum CurlLibrary {
    static func prepare() {
        _ = prepared
    }

    private static let prepared: Void = {
        // OpenSSL writes with write(2), which raises SIGPIPE on a closed connection.
        _ = signal(SIGPIPE, SIG_IGN)
        // The message is a string of the C library.
        if let error = unsafe ccurl_load() { fatalError("libcurl can't be loaded: \(unsafe String(cString: error))") }
    }()
}
