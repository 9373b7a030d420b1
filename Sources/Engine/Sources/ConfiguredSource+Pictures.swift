import Catalogue
import HTTP
import Upstream

extension ConfiguredSource {
    /// The origin of the source, from which pictures may be fetched even at a private address.
    ///
    /// The administrator or the source file sets it. It is nil for a source on the Internet.
    var pictureHome: FetchURL.Origin? {
        guard !upstream.isOnInternet else { return nil }
        let base = access.baseURL ?? source.access(with: access.secrets.keys)?.base
        return base.flatMap { try? FetchURL($0) }?.origin
    }
}
