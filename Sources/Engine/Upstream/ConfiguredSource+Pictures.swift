import Catalogue
import HTTP
import Upstream

extension ConfiguredSource {
    /// The origin of pictures that may be fetched like the source itself: where the administrator has sent it, or
    /// which its file may reach; nil for a source on the Internet.
    var pictureHome: FetchURL.Origin? {
        guard !upstream.isOnInternet else { return nil }
        let base = access.baseURL ?? source.access(with: access.secrets.keys)?.base
        return base.flatMap { try? FetchURL($0) }?.origin
    }
}
