import EventLoop
import JSON
import Personal
import RPC
import SearchModel

/// A change of a library, serialized once for all subscriptions to it.
struct LibraryNotice: Sendable {
    let revision: Int64
    /// The changes as JSON; empty if the library had no subscription when the change was made.
    private var inserted: [UInt8] = []
    private var updated: [UInt8] = []
    private var deleted: [UInt8] = []

    init(_ change: LibraryChange, isWritten: Bool) {
        revision = change.revision
        guard isWritten else { return }
        inserted = JSONValue.array(change.inserted.map(\.json)).bytes
        updated = JSONValue.array(change.updated.map(\.json)).bytes
        deleted = JSONValue.array(change.deleted.map { .string($0) }).bytes
    }

    var bytes: Int { inserted.count + updated.count + deleted.count + 128 }

    func write(to writer: inout JSONWriter) {
        writer.member(.revision, Int(revision))
        writer.member(.inserted, raw: inserted)
        writer.member(.updated, raw: updated)
        writer.member(.deleted, raw: deleted)
    }
}

/// The changes of a library that one subscription has not sent yet.
///
/// If there are too many changes, the subscription reads them from the file. If the client reads too slowly, the
/// subscription sends a reset: the client must read the library again.
///
/// It is used only on the loop. `Sendable` is needed because its task keeps a reference.
final class LibraryFeed: @unchecked Sendable {
    /// If more notices wait, they are dropped, and a reset or the changes from the file are sent instead.
    static let noticesMax = 256
    static let bytesMax = 1 << 20

    private enum Next {
        case notice(LibraryNotice)
        case reset(Int64)
        case file
    }

    private let user: UserData
    private let loop: EventLoop
    private var notices: [LibraryNotice] = []
    private var bytes = 0
    /// The revision of the reset to report; nil if none is due.
    private var resetTo: Int64?
    /// Whether the changes must be read from the file, because there were too many notices.
    private var isBehind = false
    private var isSending = false
    /// Whether earlier changes cannot be read, or the file was replaced.
    private var isUnreadable = false
    private var waiter: CheckedContinuation<Void, Never>?

    init(of user: UserData, on loop: EventLoop) {
        self.user = user
        self.loop = loop
    }

    func add(_ notice: LibraryNotice) {
        if !isBehind, resetTo == nil, notices.count < Self.noticesMax, bytes + notice.bytes <= Self.bytesMax {
            notices.append(notice)
            bytes += notice.bytes
        } else if isBehind || resetTo == nil && !isSending {
            (notices, bytes, isBehind) = ([], 0, true)
        } else {
            // After a dropped notice, the other notices are useless.
            (notices, bytes, resetTo) = ([], 0, notice.revision)
        }
        wake()
    }

    /// Records that the file was replaced; the new file may lack items.
    func reset(to revision: Int64) {
        (notices, bytes, isBehind, isUnreadable) = ([], 0, false, true)
        resetTo = max(resetTo ?? 0, revision)
        wake()
    }

    func end() {
        user.unfollow(self)
        wake()
    }

    private func wake() {
        waiter?.resume()
        waiter = nil
    }

    /// Sends the changes after a position, and then each new change, until the subscription ends.
    ///
    /// If `position` is nil, everything up to `revision` has been sent.
    func run(_ subscription: Subscription, from position: LibraryPosition?, after revision: Int64) async {
        await withTaskCancellationHandler {
            defer { end() }
            var (position, sent) = (position, revision)
            while true {
                while let from = position {
                    // Changes that can't be read are left out, and a reset reports that.
                    guard let part = try? await user.store.changes(after: from) else {
                        (resetTo, isUnreadable) = (max(resetTo ?? 0, sent), true)
                        position = nil
                        break
                    }
                    position = part.next
                    sent = part.change.revision
                    let notice = LibraryNotice(part.change, isWritten: true)
                    guard await send(.notice(notice), subscription) else { return }
                }
                guard let next = await next(after: sent) else { return }
                switch next {
                case .file: position = LibraryPosition(after: sent)
                case .notice(let notice): sent = notice.revision
                case .reset(let revision): sent = revision
                }
                guard await send(next, subscription) else { return }
            }
        } onCancel: {
            loop.perform { [self] in end() }
        }
    }

    private func next(after sent: Int64) async -> Next? {
        while !Task.isCancelled {
            if let revision = resetTo {
                resetTo = nil
                // Everything up to this revision has been read from the file.
                if revision <= sent, !isUnreadable { continue }
                isUnreadable = false
                return .reset(revision)
            }
            if isBehind {
                isBehind = false
                return .file
            }
            if !notices.isEmpty {
                let notice = notices.removeFirst()
                bytes -= notice.bytes
                if notice.revision <= sent { continue }
                return .notice(notice)
            }
            await withCheckedContinuation { waiter = $0 }
        }
        return nil
    }

    private func send(_ next: Next, _ subscription: Subscription) async -> Bool {
        if case .file = next { return true }
        isSending = true
        defer { isSending = false }
        return await subscription.send(NotificationName.libraryChanged.rawValue) { writer in
            writer.object { writer in
                writer.member(.subscription, Int(subscription.number))
                switch next {
                case .notice(let notice): notice.write(to: &writer)
                case .file: break
                case .reset(let revision):
                    writer.member(.reset, true)
                    writer.member(.revision, Int(revision))
                }
            }
        }
    }
}
