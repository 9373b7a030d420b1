import EventLoop
import SearchModel

/// The orderly end of a session: its client sees that nothing more will come, and what it still sends is read and not
/// answered until it closes.
///
/// Closing at once would reset the connection when the client is just sending something: it would not see the end
/// before the error.
///
/// Confined to the loop.
final class Goodbye {
    /// How long a client may take to notice the end of its connection before that is closed.
    static let waitMax = Duration.milliseconds(500)

    /// The session owns this; the timer and the watch keep the session alive.
    private unowned let session: Session
    private let socket: SessionSocket
    private var hasBeenSaid = false
    private var timer: Timer?

    init(to session: Session, _ socket: SessionSocket) {
        self.session = session
        self.socket = socket
    }

    /// Ends a session once nothing is owed to its client; further calls do nothing.
    func say() {
        guard !hasBeenSaid else { return }
        hasBeenSaid = true
        session.subscriptions.endAll()
        socket.endWriting()
        let loop = session.shared.loop
        timer = loop.schedule(at: loop.now.advanced(by: Self.waitMax)) { [session] in
            session.goodbye.discardInput()
            session.close()
        }
        if !socket.watchReading({ [session] _ in session.goodbye.discardInput() }) { session.close() }
    }

    func discardInput() {
        if !session.isClosed, !socket.discardInput(with: session.shared.readBuffer) { session.close() }
    }

    func cancel() {
        if let timer { session.shared.loop.cancel(timer) }
        timer = nil
    }
}

extension Session {
    /// Answers what is in flight with an error, as far as the socket takes it, and closes.
    func end(with error: SearchError) {
        requests.endAll(with: .failure(error))
        flush()
        goodbye.discardInput()
        close()
    }
}
