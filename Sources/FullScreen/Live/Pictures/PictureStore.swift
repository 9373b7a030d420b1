import Client
import JSON
import RPC
import SearchModel
import Terminal

/// Which picture, in which room.
struct PictureKey: Hashable, Sendable {
    let address: ExactText
    let box: PictureBox
}

/// The pictures of what is in view: asked for, drawn, or not to be had; pure.
///
/// Those that are not in view any more stay until there are too many.
struct PictureStore {
    static let countMax = 256
    static let bytesMax = 16 << 20
    /// How many are asked for or drawn at a time.
    static let underWayMax = 4
    /// How long the list rests before pictures are asked for, which may cost calls.
    static let restMilliseconds = 150

    private enum State {
        case asked
        case drawing
        case missing
        case drawn(Picture)

        var isUnderWay: Bool {
            switch self {
            case .asked, .drawing: true
            case .missing, .drawn: false
            }
        }

        var byteCount: Int { if case .drawn(let picture) = self { picture.byteCount } else { 0 } }
    }

    /// Whether pictures can be shown at all.
    private(set) var isOn = false
    private var states: [PictureKey: (state: State, usedAt: Int)] = [:]
    private var wanted: [PictureKey] = []
    private var uses = 0

    /// Nil while it is not there.
    subscript(key: PictureKey) -> Picture? {
        if case .drawn(let picture)? = states[key]?.state { picture } else { nil }
    }

    /// Whether it is not to be had.
    func isMissing(_ key: PictureKey) -> Bool {
        if case .missing? = states[key]?.state { true } else { false }
    }

    mutating func turn(on isOn: Bool) { self.isOn = isOn }

    // MARK: Asking

    /// These are in view now: once the list rests, what is missing of them is asked for.
    mutating func want(_ keys: [PictureKey], _ outbox: inout LiveOutbox) {
        guard isOn, keys != wanted else { return }
        wanted = keys
        uses += 1
        for key in keys { states[key]?.usedAt = uses }
        for (key, entry) in states where !keys.contains(key) {
            guard case .asked = entry.state else { continue }
            outbox.cancel { $0 == .picture(key) }
            states[key] = nil
        }
        if keys.contains(where: { states[$0] == nil }) {
            outbox.add(.wakePictures(milliseconds: Self.restMilliseconds))
        }
    }

    /// Asks for what is in view, as many as may be under way.
    mutating func ask(_ outbox: inout LiveOutbox) {
        guard isOn, outbox.isConnected else { return }
        for key in wanted where states[key] == nil {
            guard states.values.count(where: { $0.state.isUnderWay }) < Self.underWayMax else { return }
            states[key] = (.asked, uses)
            outbox.send(.image, .picture(key)) { $0.member(.url, key.address.text) }
        }
    }

    /// What was asked for is not answered any more.
    mutating func disconnected() {
        states = states.filter { if case .asked = $0.value.state { false } else { true } }
        // What is in view is wanted anew.
        wanted = []
    }

    // MARK: Answers

    mutating func received(_ result: JSONCursor, of key: PictureKey, _ outbox: inout LiveOutbox) {
        guard let text = result[.data]?.string, let bytes = Base64.bytes(of: text), !bytes.isEmpty,
            bytes.count <= WireBounds.pictureBytesMax
        else { return fail(key, &outbox) }
        states[key] = (.drawing, uses)
        outbox.add(.draw(key, bytes))
    }

    mutating func fail(_ key: PictureKey, _ outbox: inout LiveOutbox) {
        states[key] = (.missing, uses)
        makeRoom()
        ask(&outbox)
    }

    /// Nil when it could not be drawn.
    mutating func drawn(_ key: PictureKey, _ picture: Picture?, _ outbox: inout LiveOutbox) {
        guard let picture else { return fail(key, &outbox) }
        states[key] = (.drawn(picture), uses)
        makeRoom()
        ask(&outbox)
    }

    /// Forgets what was in view the longest time ago.
    private mutating func makeRoom() {
        var byteCount = states.values.reduce(0) { $0 + $1.state.byteCount }
        guard states.count > Self.countMax || byteCount > Self.bytesMax else { return }
        let oldest = states.filter { !$0.value.state.isUnderWay }.sorted { $0.value.usedAt < $1.value.usedAt }
        for (key, entry) in oldest {
            guard states.count > Self.countMax || byteCount > Self.bytesMax else { return }
            byteCount -= entry.state.byteCount
            states[key] = nil
        }
    }
}

/// The picture of a hit; pure.
enum HitPicture {
    /// Of these, a list shows them.
    private static let kinds = ["image", "video", "book", "app"]

    /// Nil without one.
    static func address(of hit: JSONCursor) -> ExactText? {
        let addresses = [hit[.thumbnail]?.string, hit[.extra]?["image"]?.string]
        return addresses.compactMap(\.self).first { !$0.isEmpty }.map { ExactText($0) }
    }

    /// What stands beside a hit in a list; nil for a hit that is a text.
    static func thumbnail(of hit: JSONCursor) -> ExactText? {
        guard let kind = hit[.kind]?.string, kinds.contains(where: { $0.hasSameBytes(as: kind) }) else { return nil }
        return address(of: hit)
    }
}

/// The pictures of what is in view, in the order in which they are looked at; pure.
enum WantedPictures {
    static func keys(of model: LiveModel) -> [PictureKey] {
        guard model.pictures.isOn, model.overlay == nil, !model.pane.list.isStale else { return [] }
        let layout = model.layout
        let list = model.pane.list
        var keys: [PictureKey] = []
        if let area = layout.detailsPicture, let address = model.details.picture {
            keys.append(PictureKey(address: address, box: area.box))
        }
        if let grid = layout.grid {
            let shown = list.items.dropFirst(list.top).prefix(grid.count)
            keys += shown.compactMap { HitPicture.address(of: $0.hit) }.map { PictureKey(address: $0, box: grid.box) }
        } else if let box = layout.thumbnail {
            let shown = list.visible(rows: layout.list.rows, itemRows: layout.itemRows).map { list.items[$0.index] }
            keys += shown.compactMap { HitPicture.thumbnail(of: $0.hit) }.map { PictureKey(address: $0, box: box) }
        }
        return keys
    }
}
