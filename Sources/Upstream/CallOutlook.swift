import RPC
package import SearchModel

/// Predicts how a user's call to each of these sources would fare now; leaves out unknown sources.
package typealias CallOutlooks = @Sendable ([SourceName], Priority, UInt32) -> [SourceName: CallOutlook]

/// How a call to a source would fare that was asked for now.
package struct CallOutlook: Equatable, Sendable {
    /// What is in its way; nil when it would be made at once.
    package let obstacle: Skip?
    /// How long calls to the source have lately taken; nil before the first.
    package let usual: Duration?

    package init(obstacle: Skip?, usual: Duration?) {
        self.obstacle = obstacle
        self.usual = usual
    }

    /// How long its rate limit would delay it; nil when it would not be made.
    package var wait: Duration? {
        guard let obstacle else { return .zero }
        return obstacle.reason == .rateLimit ? obstacle.retryAfter ?? .zero : nil
    }
}
