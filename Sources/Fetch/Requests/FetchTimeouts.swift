/// How long the parts of one exchange may take.
package struct FetchTimeouts: Hashable, Sendable {
    /// Name resolution, connection and TLS, for each hop; also the wait for a shared HTTP/2 connection.
    package var connect: Duration
    /// From the moment the request may leave until the first byte of the response, for each hop.
    package var firstByte: Duration
    /// Everything, from the call on: waiting for a place, redirects, the last byte of the body.
    package var whole: Duration

    package init(
        connect: Duration = .seconds(3),
        firstByte: Duration = .seconds(10),
        whole: Duration = .seconds(15)
    ) {
        self.connect = connect
        self.firstByte = firstByte
        self.whole = whole
    }
}
