import Engine
import EventLoop
import RPC
import SearchModel
import Upstream

/// A picture that a hit names, for a user who was shown that hit.
struct ImageMethod: Method {
    let description = MethodDescription.image
    /// What a user was shown is known only of users that can be told apart.
    let permission = MethodPermission.ownData
    let capabilities = ["image"]
    let shown: ShownPictures
    let seen: SeenPictures
    let loader: PictureLoader

    /// Beside the picture, which the budget of bodies and then the cache counts.
    private static let callBytes = 16 << 10

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        var parameters = try Parameters(call.params)
        let address = try parameters.requiredString(.url)
        try parameters.finish()
        guard (1...WireBounds.pictureAddressBytesMax).contains(address.utf8.count) else {
            throw parameters.mismatch(.url, "an address of 1 to \(WireBounds.pictureAddressBytesMax) bytes")
        }
        let (userID, client) = (call.session.peer.userID, call.client)
        let terms = shown.terms(of: address, for: userID)
        guard terms != nil || seen.isUnread(of: userID) else { throw Self.refusal(of: address) }
        if let terms, let picture = loader.cached(PictureKey(address, terms.reach)) {
            return .answered(.picture(picture, .hit))
        }
        return .running(channel: nil, memory: Self.callBytes) { [shown, seen, loader] stream throws(SearchError) in
            if terms == nil { await seen.read(of: userID) }
            guard let terms = terms ?? shown.terms(of: address, for: userID) else { throw Self.refusal(of: address) }
            let key = PictureKey(address, terms.reach)
            let (picture, use) = try await loader.picture(key, isPrivate: terms.isPrivate, for: client)
            if terms.isPrivate || stream.hasRoomForAnswer { return .picture(picture, use) }
            return .picture(try await Self.later(key, loader, client, stream), use)
        }
    }

    /// The picture once its reader has taken what came before it; meanwhile only the cache holds it.
    private static func later(
        _ key: PictureKey,
        _ loader: PictureLoader,
        _ client: ClientIdentity,
        _ stream: RequestStream
    ) async throws(SearchError) -> Picture {
        while !Task.isCancelled {
            await stream.waitForRoom()
            let picture = try await loader.picture(key, isPrivate: false, for: client).picture
            if stream.hasRoomForAnswer { return picture }
        }
        throw SearchError(.cancelled, "the request was cancelled", retryable: false)
    }

    private static func refusal(of address: String) -> SearchError {
        address.utf8.starts(with: "http://".utf8) ? .pictureNotSecure : .pictureNotShown
    }
}
