import CCurl
import HTTPMessage

extension EasyHandle {
    /// Sets everything for one hop that is not the same for all; the handle is fresh or was left by another hop.
    func prepare(_ hop: Hop, allowsHTTP2: Bool) {
        forgetDetail()
        set(CURLOPT_URL, hop.url.text)
        set(CURLOPT_HTTP_VERSION, allowsHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)
        // A connection that is being opened may turn out to be one for many: wait for it instead of opening more.
        set(CURLOPT_PIPEWAIT, allowsHTTP2 && hop.url.origin.isSecure ? 1 : 0)
        setMethod(hop)
        setFields(hop)
    }

    /// What holds for every request: no surprises from the environment, from the disk or from the URL.
    func setManners(_ configuration: HTTPClientConfiguration) {
        collectDetail()
        set(CURLOPT_NOSIGNAL, 1)
        // Without it, leaving a transfer whose name is being resolved waits for the resolver's thread, and the loop
        // with it, for as long as the name server is silent. With it the thread ends by itself.
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        set(CURLOPT_PROXY, configuration.proxy ?? "")
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_USERAGENT, configuration.userAgent)
        // Every encoding that libcurl can undo.
        set(CURLOPT_ACCEPT_ENCODING, "")
        if let authorities = configuration.authorities { set(CURLOPT_CAINFO, authorities) }
        // With a directory of authorities beside the file, libcurl reads the file anew for each connection instead of
        // once: 20 ms of the loop's time against 1 ms. The system's bundle has everything that its directory has.
        clear(CURLOPT_CAPATH)
    }

    private func setMethod(_ hop: Hop) {
        isReusable = hop.method == "GET"
        switch hop.method {
        case "GET": break
        case "HEAD": set(CURLOPT_NOBODY, 1)
        case "POST": setBody(hop.body)
        default:
            if !hop.body.isEmpty { setBody(hop.body) }
            set(CURLOPT_CUSTOMREQUEST, hop.method)
        }
    }

    private func setFields(_ hop: Hop) {
        // libcurl reads "Name:" as "leave this field out" and "Name;" as a field without a value.
        var lines = hop.fields.fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        if hop.method != "GET" && hop.method != "HEAD" {
            lines.append("Expect:")
            if hop.fields["Content-Type"] == nil { lines.append("Content-Type:") }
        }
        if !lines.isEmpty { setLines(lines) }
    }
}
