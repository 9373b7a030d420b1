import HTTP

/// Decides which redirects are allowed while one picture is fetched; it has no side effects.
///
/// Redirects within the home origin are allowed. To other origins, only https and public addresses are allowed.
struct PictureHops {
    /// The maximum number of redirects.
    static let redirectsMax = 3

    /// The origin that the configuration sets for the source, if the picture is there.
    private let home: FetchURL.Origin?
    private var isHome: Bool
    /// Whether a redirect was refused.
    private(set) var hasRefused = false

    init(to address: FetchURL, _ reach: PictureReach) {
        home = reach == .home ? address.origin : nil
        isHome = reach == .home
    }

    /// Returns whether a redirect may be followed.
    mutating func mayFollow(to origin: FetchURL.Origin) -> Bool {
        if isHome, origin == home { return true }
        isHome = false
        if !origin.isSecure { hasRefused = true }
        return origin.isSecure
    }

    /// Returns whether the current request may be sent to an address.
    func mayReach(_ address: PeerAddress) -> Bool { isHome || address.isPublic }
}
