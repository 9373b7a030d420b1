/// What all requests of one client have in common.
package struct HTTPClientConfiguration: Sendable {
    /// Sent with every request that has no User-Agent of its own; some services ask for a contact in it.
    package var userAgent: String
    /// A PEM file of authorities trusted instead of the system's bundle: a test's, or a company's proxy's.
    ///
    /// Where both are needed, one file with both in it is given.
    package var authorities: String?
    /// A proxy for every request, as `http://host:port`.
    ///
    /// The environment's proxies are ignored: a service must not be led elsewhere by a stray variable. With a proxy, it
    /// and not this client resolves names and opens connections, so address policies are not asked.
    package var proxy: String?
    /// How many exchanges run at once.
    package var exchangesMax = 512
    /// How many of them with one origin; over HTTP/1.1 each has a connection of its own, so this bounds them too.
    ///
    /// More than the sources of one search: those that hang must not hold up others behind the same proxy.
    package var exchangesPerOriginMax = 256
    /// How many requests wait before further ones are refused.
    package var waitersMax = 1024
    /// The most bytes that the bodies of all responses take together, from their first byte until the caller drops the
    /// response, not counting the first 64 KiB of each.
    package var bodyBytesMax = 32 << 20
    /// How many idle connections are kept.
    package var idleConnectionsMax = 32
    /// After how long without any exchange all connections are closed and their memory is given back.
    ///
    /// The authorities read for TLS are forgotten too, and reading the system's bundle again takes about 20 ms of the
    /// loop's time; so this is long.
    package var idleAfter = Duration.seconds(600)

    package init(userAgent: String) {
        self.userAgent = userAgent
    }
}
