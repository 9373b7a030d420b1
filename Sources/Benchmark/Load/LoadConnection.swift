/// One connection of the load and what is on the way on it.
final class LoadConnection {
    let connection: Connection
    var batch = Batch()
    /// The beginning of an answer whose rest has not arrived.
    var partial: [UInt8] = []

    init(_ connection: Connection) {
        self.connection = connection
    }
}
