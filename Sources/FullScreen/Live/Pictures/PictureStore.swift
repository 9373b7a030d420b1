import JSON
import RPC
import SearchModel
import Terminal

struct PictureKey: Hashable, Sendable {
    let address: ExactText
    let box: PictureBox
}

/// The pictures in view, the requests for them, and earlier pictures.
struct PictureStore {
    static let countMax = 256
    static let bytesMax = 16 << 20
    static let pendingMax = 4

    var isOn = false
    private var wanted: [PictureKey] = []
    private var pending: Set<PictureKey> = []
    /// A picture is nil if it cannot be drawn.
    private var done: [PictureKey: Picture?] = [:]

    subscript(key: PictureKey) -> Picture? { done[key] ?? nil }

    var missing: [PictureKey] { wanted.filter { done[$0] == nil && !pending.contains($0) } }

    /// Returns the requests to cancel, or nil if nothing has changed.
    mutating func want(_ keys: [PictureKey]) -> Set<PictureKey>? {
        guard keys != wanted else { return nil }
        wanted = keys
        let unwanted = pending.subtracting(keys)
        pending.subtract(unwanted)
        return unwanted
    }

    mutating func takeRequests() -> [PictureKey] {
        let keys = Array(missing.prefix(max(0, Self.pendingMax - pending.count)))
        pending.formUnion(keys)
        return keys
    }

    mutating func forgetRequests() { pending = [] }

    /// Returns the image file to draw, or nil if it is missing or too large.
    mutating func receive(_ result: JSONCursor, for key: PictureKey) -> [UInt8]? {
        let bytes = result[.data]?.string.flatMap { Base64.bytes(of: $0) } ?? []
        guard 1...WireBounds.pictureBytesMax ~= bytes.count else {
            add(nil, for: key)
            return nil
        }
        return bytes
    }

    mutating func add(_ picture: Picture?, for key: PictureKey) {
        pending.remove(key)
        done[key] = .some(picture)
        let byteCount = done.values.reduce(0) { $0 + ($1?.byteCount ?? 0) }
        guard done.count > Self.countMax || byteCount > Self.bytesMax else { return }
        done = done.filter { wanted.contains($0.key) || $0.key == key }
    }
}

enum HitPicture {
    private static let kinds = ["image", "video", "book", "app"]

    static func address(of hit: JSONCursor) -> ExactText? {
        let addresses = [hit[.thumbnail]?.string, hit[.extra]?["image"]?.string]
        return addresses.compactMap(\.self).first { !$0.isEmpty }.map { ExactText($0) }
    }

    static func key(of item: HitList.Item, _ layout: LiveLayout) -> PictureKey? {
        guard let box = layout.grid.isTiled ? layout.grid.box : layout.thumbnail,
            let kind = item.hit[.kind]?.string, kinds.contains(where: { $0.hasSameBytes(as: kind) })
        else { return nil }
        return address(of: item.hit).map { PictureKey(address: $0, box: box) }
    }
}
