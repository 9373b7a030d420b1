/// Whether and where a request may be led on.
package struct RedirectPolicy: Sendable {
    /// How many hops at most; 0 when a redirect is an error.
    package let hopsMax: Int
    let allows: @Sendable (FetchURL.Origin) -> Bool

    /// A redirect is an error of code `redirect`.
    package static let none = RedirectPolicy(hopsMax: 0) { _ in false }

    /// Follows up to `hopsMax` redirects, each only to an origin for which `allows` is true.
    ///
    /// The closure is called on the loop's thread. From https to http nothing is followed whatever it says.
    package static func follow(
        upTo hopsMax: Int,
        where allows: @escaping @Sendable (FetchURL.Origin) -> Bool
    ) -> RedirectPolicy {
        precondition(hopsMax > 0, "a policy that follows nothing is .none")
        return RedirectPolicy(hopsMax: hopsMax, allows: allows)
    }
}
