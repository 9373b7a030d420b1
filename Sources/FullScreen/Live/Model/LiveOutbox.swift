import Client
import JSON
import RPC
import SearchModel
import Terminal

/// An input of the model.
enum LiveEvent {
    case input(InputEvent)
    case message(Message)
    /// A daemon answers; also again, after the one before has gone.
    case connected
    case disconnected(ClientError)
    case resized(columns: Int, rows: Int)
    /// The time that `wake` asked for has passed.
    case woken
    case picturesWoken
    /// The terminal has said that it shows pictures.
    case picturesShown
    /// A picture, or nil when it could not be drawn.
    case drawn(PictureKey, Picture?)
    /// What an effect came to, in a sentence; an error when it failed.
    case done(String)
    case failed(ClientError)
}

/// Something that `live` wants done.
enum LiveEffect: Equatable {
    case send(id: Int, MethodName, params: [UInt8])
    case cancel(Int)
    case open(String)
    /// Puts a text on the terminal's clipboard.
    case copy(String)
    /// Instead of any time asked for before.
    case wake(milliseconds: Int)
    case wakePictures(milliseconds: Int)
    /// Makes a picture of what has come.
    case draw(PictureKey, [UInt8])
    /// A daemon is started if none is there.
    case connect
    case redraw
    case suspend
    case quit(ExitStatus)
}

/// What is to be done: requests to the daemon, each with what its answer is for, and every other effect; pure.
struct LiveOutbox {
    enum Connection: Equatable {
        case starting
        case on
        /// Why there is none.
        case lost(String)
    }

    enum Purpose: Equatable {
        case hello
        case search(isMore: Bool)
        case renewal
        case suggest
        case history
        case revision
        case watch
        case list(isMore: Bool)
        case sources(Picker.Subject)
        case lookup(ExactText)
        case savedItem(ExactText)
        case save
        case forget
        case editNote(ExactText)
        case editTags(ExactText)
        case note(before: LiveUndo?)
        case tag(LiveUndo)
        case undo
        case picture(PictureKey)

        var isSearch: Bool { if case .search = self { true } else { self == .renewal } }
        var isList: Bool { if case .list = self { true } else { false } }
    }

    private(set) var connection = Connection.starting
    private var effects: [LiveEffect] = []
    private var lastID = 0
    private var pending: [Int: Purpose] = [:]

    var isConnected: Bool { connection == .on }

    mutating func connected() {
        connection = .on
        (lastID, pending) = (0, [:])
    }

    mutating func disconnected(_ reason: String) {
        connection = .lost(reason)
        pending = [:]
    }

    mutating func add(_ effect: LiveEffect) { effects.append(effect) }

    /// What is to be done, in this order; then nothing is.
    mutating func takeEffects() -> [LiveEffect] {
        defer { effects = [] }
        return effects
    }

    // MARK: Requests

    /// Sends a request; none while there is no daemon.
    mutating func send(
        _ method: MethodName,
        _ purpose: Purpose,
        _ members: (inout JSONWriter) -> Void = { _ in }
    ) {
        send(method, purpose, params: JSONWriter.bytes(ofObject: members))
    }

    mutating func send(_ method: MethodName, _ purpose: Purpose, params: [UInt8]) {
        guard isConnected else { return }
        lastID += 1
        pending[lastID] = purpose
        add(.send(id: lastID, method, params: params))
    }

    /// What a request was for, which is answered now; nil for one that no longer counts.
    mutating func answered(_ id: Int) -> Purpose? { pending.removeValue(forKey: id) }

    /// The request for something; nil when there is none under way.
    func id(where isMeant: (Purpose) -> Bool) -> Int? { pending.first { isMeant($0.value) }?.key }

    /// The answers of these no longer count.
    mutating func forget(where isForgotten: (Purpose) -> Bool) {
        pending = pending.filter { !isForgotten($0.value) }
    }

    /// The same, and the daemon need not go on with one of them.
    mutating func cancel(where isMeant: (Purpose) -> Bool) {
        if let id = id(where: isMeant) { add(.cancel(id)) }
        forget(where: isMeant)
    }
}
