import CCurl
import HTTPMessage

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

    func clear(_ option: CURLoption) {
        // A null string takes the option's default away.
        check(unsafe ccurl_set_string(pointer, option, nil), option)
    }

    func setBody(_ body: [UInt8]) {
        // libcurl copies the bytes.
        check(unsafe ccurl_set_body(pointer, body, body.count), CURLOPT_COPYPOSTFIELDS)
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

    func forgetDetail() {
        // The buffer has CURL_ERROR_SIZE bytes.
        unsafe detailBuffer[0] = 0
    }

    func collectDetail() {
        // The buffer has CURL_ERROR_SIZE bytes and lives as long as the handle.
        check(unsafe ccurl_set_pointer(pointer, CURLOPT_ERRORBUFFER, detailBuffer), CURLOPT_ERRORBUFFER)
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
