/// The bounds of parameters, which the daemon checks and its clients keep to.
package enum WireBounds {
    package static let limit = 1...1000
    package static let limitDefault = 10
    /// How deep one source can be entered, which costs no more calls than its beginning.
    package static let offset = 0...100_000
    /// How deep a list can be entered that must be merged or sorted from its beginning.
    package static let mergedOffsetMax = 5000
    package static let maxAgeSeconds = 0...365 * 86_400
    package static let timeoutMilliseconds = 1...120_000
    package static let timeoutMillisecondsDefault = 10_000
    package static let debounceMilliseconds = 0...10_000
    /// How long a request that would cost a call holds still when another came on its channel within that time.
    package static let settlingMilliseconds = 150
    package static let sourcesMax = 64
    package static let channelBytes = 1...64
    package static let clientBytesMax = 128
    /// How many clients `server/stats` lists.
    package static let clientsMax = 50
}
