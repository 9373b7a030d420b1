import Engine
import EventLoop
import RPC
import SearchModel
import Upstream

/// A picture: over https from public addresses, or from where the configuration sends calls to a source.
struct ImageMethod: Method {
    let description = MethodDescription.image
    let capabilities = ["image"]
    let directory: DirectoryBox
    let loader: PictureLoader

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        var parameters = try Parameters(call.params)
        let address = try parameters.requiredString(.url)
        try parameters.finish()
        guard (1...WireBounds.pictureAddressBytesMax).contains(address.utf8.count) else {
            throw parameters.mismatch(.url, "an address of 1 to \(WireBounds.pictureAddressBytesMax) bytes")
        }
        let key = try PictureKey(address, directory.current)
        if let picture = loader.cached(key) { return .answered(.picture(picture, .hit)) }
        return .running(channel: nil) { [loader, client = call.client] _ throws(SearchError) in
            let (picture, use) = try await loader.picture(key, for: client)
            return .picture(picture, use)
        }
    }
}
