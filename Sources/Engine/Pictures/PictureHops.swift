import HTTP

/// Where the fetching of one picture may lead, redirect by redirect.
///
/// At home as long as it stays there, and from then on over https to public addresses only. Pure.
struct PictureHops {
    /// How many redirects are followed.
    static let redirectsMax = 3

    /// The origin that the configuration names for the source, if the picture is there.
    private let home: FetchURL.Origin?
    private var isHome: Bool
    /// Whether a redirect led where none may.
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
