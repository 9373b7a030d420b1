import CPlatform
import Glibc

/// Signals as events of a loop, through a signalfd.
///
/// Make it on the loop, before any thread is started that could take the signals instead.
package final class SignalWatch: Sendable {
    private let descriptor: FileDescriptor

    /// Blocks the signals in this thread and those it starts, and calls the handler on the loop for each that comes.
    package init(
        _ signals: [Int32],
        on loop: EventLoop,
        handler: @escaping @Sendable (Int32) -> Void
    ) throws(SystemError) {
        let raw = unsafe signals.withUnsafeBufferPointer { buffer in
            // Reads `count` numbers from the array, which lives through the call.
            unsafe platform_signal_descriptor(buffer.baseAddress, Int32(buffer.count))
        }
        guard raw >= 0 else { throw SystemError.last("signalfd") }
        descriptor = FileDescriptor(owning: raw)
        _ = try loop.watch(raw, .readable) { _ in
            while case let signal = platform_next_signal(raw), signal > 0 { handler(signal) }
        }
    }
}
