import Catalogue
import HTTP

extension ConfiguredSource {
    /// Where pictures may lie that are fetched as the source is asked: the origin to which the administrator has sent
    /// it, or which its file may reach; nil of a source on the Internet.
    var pictureHome: FetchURL.Origin? {
        guard !isOnInternet else { return nil }
        let base = access.baseURL ?? source.access(with: access.secrets.keys)?.base
        return base.flatMap { try? FetchURL($0) }?.origin
    }
}
