import CCurl
import Glibc

/// libcurl itself: prepared once for the process, before its first handle.
enum CurlLibrary {
    /// The features this room counts on; each is in every build of Debian's.
    static let neededFeatures: [(name: String, bit: Int32)] = [
        ("TLS", CURL_VERSION_SSL), ("HTTP/2", CURL_VERSION_HTTP2), ("gzip", CURL_VERSION_LIBZ),
        ("brotli", CURL_VERSION_BROTLI), ("asynchronous name resolution", CURL_VERSION_ASYNCHDNS),
        ("thread-safe start", CURL_VERSION_THREADSAFE),
    ]

    /// Traps with the missing feature's name when libcurl lacks one: that is a broken installation, not a state to
    /// serve in.
    static func prepare() {
        _ = prepared
    }

    private static let prepared: Void = {
        // OpenSSL writes to sockets with write(2), and a connection closed by the other end must not end the process.
        _ = signal(SIGPIPE, SIG_IGN)
        guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK else { fatalError("libcurl can't be initialised") }
        let missing = neededFeatures.filter { ccurl_features() & $0.bit == 0 }.map(\.name)
        guard missing.isEmpty else { fatalError("this libcurl has no \(missing.joined(separator: ", "))") }
    }()
}
