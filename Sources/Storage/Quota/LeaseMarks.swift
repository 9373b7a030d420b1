import CPlatform
import EventLoop
import Glibc

/// How many units of each lease of this process have been used, in a file that is true when the process was killed.
///
/// A byte a lease, written before the unit is used, and never waited for: the kernel has it however the process ends. A
/// machine that stops may lose it, so the file counts only until the machine starts again. A process keeps one of a few
/// files to itself by a lock, and has the file carry its own token.
final class LeaseMarks: Sendable {
    /// How many processes may have one at a time.
    static let filesMax = 16
    /// How many leases a process may mark at a time.
    static let slotsMax = 256
    private static let tokenBytes = MemoryLayout<Int64>.size

    /// What is found in a file.
    enum Found {
        /// Its process lives.
        case inUse(token: Int64)
        /// Its process has ended: how many units of each lease it has used.
        case left(token: Int64, used: [UInt8])
        case nothing
    }

    let token: Int64
    private let descriptor: FileDescriptor
    private let freeSlots = Locked(Array((0..<LeaseMarks.slotsMax).reversed()))

    /// Takes the first file beside a ledger that no living process has; nil when none can be had, and what is leased is
    /// lost with the process.
    init?(beside path: String) {
        for file in 0..<Self.filesMax {
            guard let opened = Self.open(file, beside: path, O_CREAT) else { return nil }
            guard flock(opened.raw, LOCK_EX | LOCK_NB) == 0 else { continue }
            token = Int64.random(in: .min ... .max)
            descriptor = opened
            let bytes = unsafe withUnsafeBytes(of: token) { unsafe Array($0) }
            guard write(bytes + [UInt8](repeating: 0, count: Self.slotsMax), at: 0) else { return nil }
            return
        }
        return nil
    }

    /// What a file beside a ledger says of the process that had it last.
    static func find(_ file: Int, beside path: String) -> Found {
        guard let opened = open(file, beside: path, 0) else { return .nothing }
        let isInUse = flock(opened.raw, LOCK_EX | LOCK_NB) != 0
        var bytes = [UInt8](repeating: 0, count: tokenBytes + slotsMax)
        // The array is ours alone and outlives the call.
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe pread(opened.raw, $0.baseAddress, $0.count, 0) }
        guard count == bytes.count else { return .nothing }
        // As many bytes as it is read from.
        let token = unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: Int64.self) }
        return isInUse ? .inUse(token: token) : .left(token: token, used: Array(bytes.dropFirst(tokenBytes)))
    }

    /// A mark for a lease of so many units; nil when there is none left.
    func mark(of units: Int) -> LeaseMark? {
        guard units <= UInt8.max, let slot = freeSlots.withLock({ $0.popLast() }) else { return nil }
        guard write(0, of: slot) else {
            free(slot)
            return nil
        }
        return LeaseMark(slot, of: units, in: self)
    }

    /// A slot may be another lease's, since no row of the ledger names it any more.
    func free(_ slot: Int) {
        freeSlots.withLock { $0.append(slot) }
    }

    func write(_ used: UInt8, of slot: Int) -> Bool {
        write([used], at: Self.tokenBytes + slot)
    }

    private func write(_ bytes: [UInt8], at offset: Int) -> Bool {
        while true {
            // The array lives through the call.
            let count = unsafe bytes.withUnsafeBytes { unsafe pwrite(descriptor.raw, $0.baseAddress, $0.count, offset) }
            if count >= 0 || platform_errno() != EINTR { return count == bytes.count }
        }
    }

    private static func open(_ file: Int, beside path: String, _ flags: Int32) -> FileDescriptor? {
        let raw = unsafe Glibc.open(
            "\(path)-leases-\(file)",
            O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags,
            PrivateFile.fileMode
        )
        return raw >= 0 ? FileDescriptor(owning: raw) : nil
    }
}

/// How many units of one lease have been used.
///
/// From any thread. Invariant: the file's byte is never less than what is used, unless the ledger has no row that names
/// it.
final class LeaseMark: Sendable, Equatable {
    private struct State {
        var granted: Int
        var used = 0
        /// Nothing is written any more.
        var isRetired = false
    }

    let slot: Int
    private let marks: LeaseMarks
    private let state: Locked<State>

    /// Of the file that it is in.
    var token: Int64 { marks.token }

    fileprivate init(_ slot: Int, of granted: Int, in marks: LeaseMarks) {
        self.slot = slot
        self.marks = marks
        state = Locked(State(granted: granted))
    }

    static func == (left: LeaseMark, right: LeaseMark) -> Bool { left === right }

    /// So many units more are about to be used, or fewer; false when that can't be written, so that they must not be.
    func use(_ count: Int) -> Bool {
        state.withLock { state in
            // Nothing of it can be taken up: it all counts as used.
            if state.isRetired { return true }
            guard marks.write(UInt8(clamping: state.used + count), of: slot) else { return false }
            state.used += count
            return true
        }
    }

    /// So many units have gone back to the ledger, unused.
    func returned(_ count: Int) {
        state.withLock { $0.granted -= count }
    }

    /// Whether its slot may be another lease's by now.
    var isRetired: Bool { state.withLock { $0.isRetired } }

    /// Whether nothing of it is left unused, after which nothing is written any more.
    func retireIfUsedUp() -> Bool {
        state.withLock { state in
            state.isRetired = state.isRetired || state.used >= state.granted
            return state.isRetired
        }
    }
}
