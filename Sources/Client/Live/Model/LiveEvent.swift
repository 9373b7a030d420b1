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
    /// A daemon is started if none is there.
    case connect
    case redraw
    case suspend
    case quit(ExitStatus)
}

/// The requests under way and what each is for; pure.
struct LiveRequests {
    enum Purpose: Equatable {
        case hello
        case search(isMore: Bool)
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
    }

    private var lastID = 0
    private var pending: [Int: Purpose] = [:]

    mutating func add(_ purpose: Purpose) -> Int {
        lastID += 1
        pending[lastID] = purpose
        return lastID
    }

    /// What a request was for, which is answered now; nil for one that no longer counts.
    mutating func remove(_ id: Int) -> Purpose? { pending.removeValue(forKey: id) }

    /// The answers of these no longer count.
    mutating func forget(where isForgotten: (Purpose) -> Bool) {
        pending = pending.filter { !isForgotten($0.value) }
    }

    /// The request for something; nil when there is none under way.
    func id(where isMeant: (Purpose) -> Bool) -> Int? { pending.first { isMeant($0.value) }?.key }
}

/// How a change of the library is taken back; pure.
struct LiveUndo: Equatable {
    static let countMax = 100

    let method: MethodName
    let params: [UInt8]
    /// What has been taken back then.
    let text: String
}
