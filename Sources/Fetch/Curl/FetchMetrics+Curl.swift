import CCurl
import EventLoop

extension FetchMetrics {
    /// What libcurl and the exchange's clock measured; the rest is zero.
    init(_ easy: EasyHandle, _ times: ExchangeTimes, now: Instant) {
        func until(_ mark: Instant?) -> Duration { times.asked.duration(to: mark ?? now) }
        self.init(
            untilStarted: until(times.started),
            untilEnd: until(now),
            bytesReceived: easy.number(CURLINFO_HEADER_SIZE) + easy.offset(CURLINFO_SIZE_DOWNLOAD_T),
            bodyBytesDecoded: 0,
            version: Version(curl: easy.number(CURLINFO_HTTP_VERSION)),
            reusedConnection: easy.number(CURLINFO_NUM_CONNECTS) == 0,
            redirects: 0
        )
    }
}

extension FetchMetrics.Version {
    fileprivate init(curl version: Int) {
        switch version {
        case CURL_HTTP_VERSION_1_0: self = .http10
        case CURL_HTTP_VERSION_1_1: self = .http11
        case CURL_HTTP_VERSION_2_0: self = .http2
        default: self = .other
        }
    }
}
