import EventLoop
import JSON
import Personal
import RPC
import SearchModel

/// A change of a library, serialized once for all subscriptions.
struct LibraryNotice: Sendable {
    let revision: Int64
    // These three are JSON; they are empty if no client had a subscription at the time of the change.
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

/// The library changes to send to one subscriber; used only on the loop, so `@unchecked` is safe.
final class LibraryFeed: @unchecked Sendable {
    /// If more notices wait than these limits allow, all are dropped, and the changes are read from the file.
    ///
    /// If this happens while a notification is sent, the client must read the whole library again.
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
    /// If set, the client must read the whole library again, at this revision or later.
    private var resetTo: Int64?
    private var isBehind = false
    private var isSending = false
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
            (notices, bytes, resetTo) = ([], 0, notice.revision)
        }
        wake()
    }

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

    /// First sends the changes after `position`; if it is nil, everything up to `revision` was sent before.
    func run(_ subscription: Subscription, from position: LibraryPosition?, after revision: Int64) async {
        await withTaskCancellationHandler {
            defer { end() }
            var (position, sent) = (position, revision)
            while true {
                while let from = position {
                    // If changes cannot be read, a reset tells the client to read the library again.
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
