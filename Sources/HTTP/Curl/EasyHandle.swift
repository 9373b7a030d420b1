import CCurl
import EventLoop
import Glibc

/// One libcurl transfer handle, used for one hop after another.
///
/// Used only on the loop's thread. It owns what libcurl only points to: the list of fields, which lives until `leave`,
/// which is called only while the handle is in no multi handle, and the buffer for its texts. `@safe`: its pointers are
/// its own from init to deinit.
@safe
final class EasyHandle {
    /// libcurl's own name for this handle; freed in deinit and nowhere else.
    let pointer: UnsafeMutableRawPointer
    private let detailBuffer: UnsafeMutablePointer<CChar>
    private var list: UnsafeMutablePointer<curl_slist>?
    /// Whether its options are as any other hop needs them: after a GET, of which only the fields have to go.
    var isReusable = true

    init(_ configuration: HTTPClientConfiguration) {
        CurlLibrary.prepare()
        guard let pointer = unsafe curl_easy_init() else { fatalError("libcurl has no memory for a handle") }
        unsafe self.pointer = pointer
        unsafe detailBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe detailBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        setManners(configuration)
    }

    deinit {
        // Nothing else has these pointers: the client takes a handle out of its multi handle before it lets go of it.
        unsafe curl_easy_cleanup(pointer)
        unsafe curl_slist_free_all(list)
        unsafe detailBuffer.deallocate()
    }

    /// The pointer as a number, to find the handle by.
    var address: UInt { unsafe UInt(bitPattern: pointer) }

    /// Forgets the fields of the hop that it carried.
    func leave() {
        check(unsafe ccurl_set_list(pointer, CURLOPT_HTTPHEADER, nil), CURLOPT_HTTPHEADER)
        // The handle is idle and has just been told of no list.
        unsafe curl_slist_free_all(list)
        unsafe list = nil
    }

    /// libcurl's own words on what went wrong; empty when it had none.
    var detail: String {
        // libcurl ends the text with a zero within CURL_ERROR_SIZE.
        unsafe String(cString: detailBuffer)
    }

    // MARK: Options

    // A refused option is a bug or a lack of memory: values are checked before they come here, and features at the
    // start. So they trap.

    func set(_ option: CURLoption, _ value: Int) {
        // The option takes a long, which Int is.
        check(unsafe ccurl_set_long(pointer, option, value), option)
    }

    func set(_ option: CURLoption, _ value: String) {
        // libcurl copies the string.
        check(unsafe ccurl_set_string(pointer, option, value), option)
    }

    /// Adds header lines after those that libcurl makes; a line without a value removes libcurl's own.
    func setLines(_ lines: [String]) {
        for line in lines {
            // libcurl copies the line, and returns the same list or a new one; nil only when out of memory.
            guard let longer = unsafe curl_slist_append(list, line) else { fatalError("no memory for a header line") }
            unsafe list = longer
        }
        // The list lives until `leave`.
        check(unsafe ccurl_set_list(pointer, CURLOPT_HTTPHEADER, list), CURLOPT_HTTPHEADER)
    }

    func check(_ code: CURLcode, _ option: CURLoption) {
        guard code != CURLE_OK else { return }
        // libcurl returns a static string for every code.
        fatalError("libcurl refuses option \(option.rawValue): \(unsafe String(cString: curl_easy_strerror(code)))")
    }

    // MARK: What it tells afterwards

    func number(_ info: CURLINFO) -> Int {
        var value = 0
        // The info is of type long; on failure the value stays 0.
        _ = unsafe ccurl_get_long(pointer, info, &value)
        return value
    }

    /// Why the last connect failed, in the system's words; nil when it did not.
    var systemError: String? {
        let code = number(CURLINFO_OS_ERRNO)
        // The text is copied before the thread asks for another.
        return code == 0 ? nil : unsafe String(cString: strerror(Int32(truncatingIfNeeded: code)))
    }

    func offset(_ info: CURLINFO) -> Int {
        var value: Int64 = 0
        // The info is of type curl_off_t; on failure the value stays 0.
        _ = unsafe ccurl_get_offset(pointer, info, &value)
        return Int(value)
    }

    func string(_ info: CURLINFO) -> String? {
        var value: UnsafePointer<CChar>?
        // The info is a string that belongs to the handle; it is copied before the handle is used again.
        guard unsafe ccurl_get_string(pointer, info, &value) == CURLE_OK else { return nil }
        return unsafe value.map { unsafe String(cString: $0) }
    }
}

extension EasyHandle {
    /// Sets everything for one hop that is not the same for all; the handle is fresh or was left by another hop.
    func prepare(_ hop: Hop) {
        // The buffer has CURL_ERROR_SIZE bytes.
        unsafe detailBuffer[0] = 0
        set(CURLOPT_URL, hop.url.text)
        set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
        // A connection that is being opened may turn out to be one for many: wait for it instead of opening more.
        set(CURLOPT_PIPEWAIT, hop.url.origin.isSecure ? 1 : 0)
        setMethod(hop)
        setFields(hop)
    }

    /// What holds for every request: no surprises from the environment, from the disk or from the URL.
    func setManners(_ configuration: HTTPClientConfiguration) {
        // The buffer has CURL_ERROR_SIZE bytes and lives as long as the handle.
        check(unsafe ccurl_set_pointer(pointer, CURLOPT_ERRORBUFFER, detailBuffer), CURLOPT_ERRORBUFFER)
        set(CURLOPT_NOSIGNAL, 1)
        // Without it, leaving a transfer whose name is being resolved waits for the resolver's thread, and the loop
        // with it, for as long as the name server is silent. With it the thread ends by itself.
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        // A service must not be led elsewhere by a stray variable.
        set(CURLOPT_PROXY, "")
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_USERAGENT, configuration.userAgent)
        // Every encoding that libcurl can undo.
        set(CURLOPT_ACCEPT_ENCODING, "")
        if let authorities = configuration.authorities { set(CURLOPT_CAINFO, authorities) }
        // With a directory of authorities beside the file, libcurl reads the file anew for each connection instead of
        // once: 20 ms of the loop's time against 1 ms. The system's bundle has everything that its directory has.
        check(unsafe ccurl_set_string(pointer, CURLOPT_CAPATH, nil), CURLOPT_CAPATH)
    }

    private func setMethod(_ hop: Hop) {
        isReusable = hop.method == "GET"
        guard hop.method == "POST" else { return }
        // libcurl copies the bytes.
        check(unsafe ccurl_set_body(pointer, hop.body, hop.body.count), CURLOPT_COPYPOSTFIELDS)
    }

    private func setFields(_ hop: Hop) {
        // libcurl reads "Name:" as "leave this field out" and "Name;" as a field without a value.
        var lines = hop.fields.fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        if hop.method == "POST" {
            lines.append("Expect:")
            if hop.fields["Content-Type"] == nil { lines.append("Content-Type:") }
        }
        if !lines.isEmpty { setLines(lines) }
    }
}

/// What it knows of the response after its end.
extension EasyHandle {
    /// The fields of the response; those of interim responses and trailers are left out.
    var fields: HTTPFields {
        var fields = HTTPFields()
        var last: UnsafeMutablePointer<curl_header>?
        // Each belongs to the handle; its texts end with a zero and are copied before the handle is used again.
        while let next = unsafe curl_easy_nextheader(pointer, UInt32(CURLH_HEADER), -1, last) {
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

/// libcurl itself: prepared once for the process, before its first handle.
enum CurlLibrary {
    static func prepare() {
        _ = prepared
    }

    private static let prepared: Void = {
        // OpenSSL writes to sockets with write(2), and a connection closed by the other end must not end the process.
        _ = signal(SIGPIPE, SIG_IGN)
        guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK else { fatalError("libcurl can't be initialised") }
    }()
}
