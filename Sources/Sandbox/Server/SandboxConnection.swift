import EventLoop
import HTTP

/// One client's connection: reads requests, answers them in order, one at a time.
///
/// Not Sendable: it belongs to the server's actor.
final class SandboxConnection {
    let descriptor: FileDescriptor
    var watch: Watch?
    var parser = HTTPRequestParser()
    /// What is still to do for the answer under way, the next step last.
    var steps: [DeliveryPlan.Step] = []
    /// Bytes on their way out, from `sent` on.
    var output: [UInt8] = []
    var sent = 0
    var timer: Timer?
    /// True while the steps wait for time or for ever.
    var isWaiting = false
    var interest: Interest = .readable
    /// The client has closed its writing side.
    var inputEnded = false

    init(descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }

    /// Waits for nothing but the client's leaving.
    var isHanging: Bool { isWaiting && timer == nil }

    var isIdle: Bool {
        steps.isEmpty && sent == output.count && !isWaiting
    }
}
