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
