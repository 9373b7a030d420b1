import CPlatform
import EventLoop
import Glibc

/// Many badly behaved connections, driven from one thread in small steps, which costs little.
final class Crowd {
    /// How a member writes or reads.
    enum Pace {
        case never
        /// As much as the socket takes or has, at intervals.
        static let atOnce = all(every: 5_000_000)
        case all(every: Int64)
        /// One byte every so many nanoseconds.
        case byte(every: Int64)
    }

    private final class Member {
        let socket: FileDescriptor
        let output: [UInt8]
        let writing: Pace
        let reading: Pace
        var sent = 0
        var nextWrite: Int64 = 0
        var nextRead: Int64 = 0
        var isClosed = false

        init(_ socket: consuming FileDescriptor, _ output: [UInt8], writing: Pace, reading: Pace) {
            self.socket = socket
            (self.output, self.writing, self.reading) = (output, writing, reading)
        }
    }

    /// The pause between two rounds over all members; long enough to cost little.
    private static let step = Duration.milliseconds(5)

    private let socketPath: String
    private var members: [Member] = []
    private var chunk = [UInt8](repeating: 0, count: 64 * 1024)

    init(_ socketPath: String) {
        self.socketPath = socketPath
    }

    /// How many members have noticed that the daemon closed them.
    var closed: Int { members.count { $0.isClosed } }

    /// Adds a member that writes `output`, repeatedly when it writes a byte at a time.
    func join(_ output: [UInt8], writing: Pace, reading: Pace) {
        do throws(BenchmarkError) {
            let member = Member(try SystemCall.connect(socketPath), output, writing: writing, reading: reading)
            // Spread over the time between two bytes.
            if case .byte(let pause) = writing {
                member.nextWrite = SystemCall.now + pause * Int64(members.count % 64) / 64
            }
            members.append(member)
        } catch {
            // A refused connection is no member.
            return
        }
    }

    /// The oldest members leave.
    func leave(_ count: Int) {
        members.removeFirst(min(count, members.count))
    }

    func leaveAll() { members = [] }

    /// Every member does what is due until the deadline; `watch` is called once a step, and ends it by returning false.
    func drive(until deadline: Int64, _ watch: () -> Bool) {
        while SystemCall.now < deadline, watch() {
            let now = SystemCall.now
            for member in members where !member.isClosed {
                if member.nextWrite <= now { write(member, now) }
                if member.nextRead <= now { read(member, now) }
            }
            SystemCall.pause(Self.step)
        }
    }

    private func write(_ member: Member, _ now: Int64) {
        let count: Int
        switch member.writing {
        case .never: return member.nextWrite = .max
        case .all(let pause):
            count = member.output.count - member.sent
            member.nextWrite = now + pause
        case .byte(let pause):
            if member.sent == member.output.count { member.sent = 0 }
            count = 1
            member.nextWrite = now + pause
        }
        guard count > 0 else { return member.nextWrite = .max }
        let sent = SystemCall.send(member.output, from: member.sent, count: count, on: member.socket.raw)
        if sent > 0 { member.sent += sent }
        if sent < 0, platform_errno() != EAGAIN { member.isClosed = true }
    }

    private func read(_ member: Member, _ now: Int64) {
        let count: Int
        switch member.reading {
        case .never: return member.nextRead = .max
        case .all(let pause): (count, member.nextRead) = (chunk.count, now + pause)
        case .byte(let pause): (count, member.nextRead) = (1, now + pause)
        }
        // The count is at most that of the chunk.
        let read = unsafe Glibc.read(member.socket.raw, &chunk, count)
        if read == 0 || (read < 0 && platform_errno() != EAGAIN) { member.isClosed = true }
    }
}
