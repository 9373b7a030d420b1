import HTTP

/// Decides which redirects are allowed while one picture is fetched.
///
/// Redirects within the home origin are allowed. Redirects to other origins must lead to public addresses with https.
struct PictureHops {
    static let redirectsMax = 3

    /// The origin of the picture's address if its reach is `home`; otherwise nil.
    private let home: FetchURL.Origin?
    private var isHome: Bool
    private(set) var hasRefused = false

    init(to address: FetchURL, _ reach: PictureReach) {
        home = reach == .home ? address.origin : nil
        isHome = reach == .home
    }

    mutating func mayFollow(to origin: FetchURL.Origin) -> Bool {
        if isHome, origin == home { return true }
        isHome = false
        if !origin.isSecure { hasRefused = true }
        return origin.isSecure
    }

    func mayReach(_ address: PeerAddress) -> Bool { isHome || address.isPublic }
}
