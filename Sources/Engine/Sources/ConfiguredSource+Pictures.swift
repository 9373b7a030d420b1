import Catalogue
import HTTP
import Upstream

extension ConfiguredSource {
    /// The origin from which pictures may be fetched like the source itself.
    ///
    /// It is the address that the administrator set, or one that the file may reach; nil for a source on the Internet.
    var pictureHome: FetchURL.Origin? {
        guard !upstream.isOnInternet else { return nil }
        let base = access.baseURL ?? source.access(with: access.secrets.keys)?.base
        return base.flatMap { try? FetchURL($0) }?.origin
    }
}
