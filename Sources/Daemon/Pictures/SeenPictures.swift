import Engine
import EventLoop
import Personal
import SearchModel

/// The pictures that a user's searches brought before the daemon started: read from the user's own file, once, when one
/// is asked for that was not shown since.
///
/// `@unchecked Sendable` so that methods may hold it: confined to the loop, where methods begin and which their tasks
/// prefer.
final class SeenPictures: @unchecked Sendable {
    /// The latest so many hits are looked through: what they name fits among what is remembered.
    static let hitsMax = 8192
    private static let hitsAtOnce = 1024

    private let data: PersonalData
    private let directory: DirectoryBox
    private let shown: ShownPictures
    private let loop: EventLoop

    init(_ data: PersonalData, _ directory: DirectoryBox, _ shown: ShownPictures, on loop: EventLoop) {
        (self.data, self.directory, self.shown, self.loop) = (data, directory, shown, loop)
    }

    /// Whether more may be known of a user than what was shown since the start.
    func isUnread(of userID: UInt32) -> Bool {
        guard data.isKept, let viewer = shown.viewer(userID) else { return false }
        if case .done = viewer.recall { return false }
        return true
    }

    /// Notes what the user's file has; others who ask meanwhile wait for the same reading.
    ///
    /// A file that can't be read is tried again the next time.
    func read(of userID: UInt32) async {
        assert(loop.isCurrent, "the task of a request prefers the loop")
        guard let viewer = shown.viewer(userID) else { return }
        let task: Task<Void, Never>
        switch viewer.recall {
        case .done: return
        case .running(let running): task = running
        case .due:
            task = Task(executorPreference: loop) { [self] in
                do throws(SearchError) {
                    viewer.note(try await marks(of: userID))
                    viewer.recall = .done
                } catch {
                    viewer.recall = .due
                }
            }
            viewer.recall = .running(task)
        }
        await task.value
    }

    private func marks(of userID: UInt32) async throws(SearchError) -> [PictureMark] {
        let user = try data.user(of: userID)
        let (directory, settings) = (directory.current, data.historySettings)
        return try await user.use { store throws(SearchError) in
            var marks: [PictureMark] = []
            for start in stride(from: 0, to: Self.hitsMax, by: Self.hitsAtOnce) {
                let part = start..<start + Self.hitsAtOnce
                marks += try await store.seen(latest: part, settings) { hit in
                    var marks: [PictureMark] = []
                    HitPictures(hit, hit.indices, directory).append(to: &marks)
                    return marks
                }
            }
            return marks
        }
    }
}
