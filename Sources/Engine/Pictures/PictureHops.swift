import HTTP

/// The allowed redirects while fetching one picture.
///
/// Redirects may stay at the home origin; after leaving it, only https and public addresses are allowed. Pure.
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

    /// Whether a redirect may be followed.
    mutating func mayFollow(to origin: FetchURL.Origin) -> Bool {
        if isHome, origin == home { return true }
        isHome = false
        if !origin.isSecure { hasRefused = true }
        return origin.isSecure
    }

    /// Whether a connection to an address may be used for the present hop.
    func mayReach(_ address: PeerAddress) -> Bool { isHome || address.isPublic }
}
