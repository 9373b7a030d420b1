import JSON
import RPC
import SearchModel
import Terminal

/// A picture, and the space for it.
struct PictureKey: Hashable, Sendable {
    let address: ExactText
    let box: PictureBox
}

/// The pictures in view, with their requests.
///
/// Pictures that were in view earlier are kept until there are too many.
struct PictureStore {
    static let countMax = 256
    static let bytesMax = 16 << 20
    /// The maximum number of pictures that are requested or drawn at a time.
    static let pendingMax = 4

    private enum State {
        case requested
        case drawing
        /// Nil if there is no valid picture.
        case done(Picture?)

        var isPending: Bool { if case .done = self { false } else { true } }
        var isRequested: Bool { if case .requested = self { true } else { false } }
        var byteCount: Int { if case .done(let picture?) = self { picture.byteCount } else { 0 } }
    }

    /// Whether the terminal shows pictures.
    var isOn = false
    private var states: [PictureKey: State] = [:]
    private var wanted: [PictureKey] = []

    subscript(key: PictureKey) -> Picture? { if case .done(let picture)? = states[key] { picture } else { nil } }

    /// Whether pictures in view have not been requested.
    var areMissing: Bool { wanted.contains { states[$0] == nil } }

    /// Sets the pictures in view; returns requests that are no longer wanted, or nil if nothing has changed.
    mutating func want(_ keys: [PictureKey]) -> [PictureKey]? {
        guard keys != wanted else { return nil }
        wanted = keys
        let unwanted = states.filter { $0.value.isRequested && !keys.contains($0.key) }.map(\.key)
        for key in unwanted { states[key] = nil }
        return unwanted
    }

    /// Returns the pictures to request now.
    mutating func takeRequests() -> [PictureKey] {
        let count = Self.pendingMax - states.values.count(where: \.isPending)
        let keys = Array(wanted.filter { states[$0] == nil }.prefix(max(0, count)))
        for key in keys { states[key] = .requested }
        return keys
    }

    /// The daemon does not answer the requests any more.
    mutating func forgetRequests() { states = states.filter { !$0.value.isRequested } }

    /// Handles the answer to a request; returns the file to draw.
    mutating func receive(_ result: JSONCursor, for key: PictureKey) -> [UInt8]? {
        let bytes = result[.data]?.string.flatMap { Base64.bytes(of: $0) }
        guard let bytes, 1...WireBounds.pictureBytesMax ~= bytes.count else {
            add(nil, for: key)
            return nil
        }
        states[key] = .drawing
        return bytes
    }

    mutating func add(_ picture: Picture?, for key: PictureKey) {
        states[key] = .done(picture)
        let byteCount = states.values.reduce(0) { $0 + $1.byteCount }
        guard states.count > Self.countMax || byteCount > Self.bytesMax else { return }
        states = states.filter { $0.value.isPending || wanted.contains($0.key) || $0.key == key }
    }
}

/// The picture of a hit.
enum HitPicture {
    /// The kinds that have a picture in a list.
    private static let kinds = ["image", "video", "book", "app"]

    /// The address of its picture; nil without one.
    static func address(of hit: JSONCursor) -> ExactText? {
        let addresses = [hit[.thumbnail]?.string, hit[.extra]?["image"]?.string]
        return addresses.compactMap(\.self).first { !$0.isEmpty }.map { ExactText($0) }
    }

    /// The picture of an item in the list; nil without one.
    static func key(of item: HitList.Item, _ layout: LiveLayout) -> PictureKey? {
        guard let box = layout.grid.isTiled ? layout.grid.box : layout.thumbnail,
            let kind = item.hit[.kind]?.string, kinds.contains(where: { $0.hasSameBytes(as: kind) })
        else { return nil }
        return address(of: item.hit).map { PictureKey(address: $0, box: box) }
    }
}
