import Engine
import SearchModel

/// Which pictures each user was shown, so that no other picture is fetched: kept in memory, for users that can be told
/// apart.
///
/// What is noted can't be read back: not even which picture it is.
///
/// `@unchecked Sendable` so that methods and ready answers may hold it: confined to the loop, where methods begin,
/// which their tasks prefer, as they assert, and where ready answers are given.
final class ShownPictures: @unchecked Sendable {
    /// Of further users the one that was shown something longest ago is forgotten.
    static let usersMax = 64

    private let directory: DirectoryBox
    private let permissions: Permissions
    private var viewers: [UInt32: PictureViewer] = [:]
    private var clock: UInt64 = 0

    init(_ directory: DirectoryBox, _ permissions: Permissions) {
        (self.directory, self.permissions) = (directory, permissions)
    }

    // MARK: Noting

    /// The pictures that hits of a search name.
    ///
    /// - Complexity: O(n) in the hits, and in the bytes of pages that were not shown before.
    func marks(of hits: [HitPosition]) -> [PictureMark] {
        guard !hits.isEmpty else { return [] }
        let directory = directory.current
        var marks: [PictureMark] = []
        for hit in hits { hit.pictures(directory)?.append(to: &marks) }
        return marks
    }

    /// A user is shown hits that name these pictures.
    func show(_ marks: [PictureMark], to userID: UInt32, isPrivate: Bool) {
        guard !marks.isEmpty, let viewer = viewer(userID) else { return }
        viewer.note(isPrivate ? marks.map(\.ofPrivateSearch) : marks)
    }

    /// A user is shown one item as JSON.
    func show(_ hit: [UInt8], to userID: UInt32, isPrivate: Bool) {
        var marks: [PictureMark] = []
        HitPictures(hit, hit.indices, directory.current).append(to: &marks)
        show(marks, to: userID, isPrivate: isPrivate)
    }

    /// What notes an answer that is given again; nil when its hits name no picture.
    func repeated(_ marks: [PictureMark]) -> RepeatedPictures? {
        marks.isEmpty ? nil : RepeatedPictures(marks, of: self)
    }

    /// What a user was shown; nil of a user that can't be told from others.
    func viewer(_ userID: UInt32) -> PictureViewer? {
        guard permissions.refusalOfOwnData(to: userID) == nil else { return nil }
        clock += 1
        if let viewer = viewers[userID] {
            viewer.usedAt = clock
            return viewer
        }
        if viewers.count >= Self.usersMax, let oldest = viewers.min(by: { $0.value.usedAt < $1.value.usedAt }) {
            oldest.value.isForgotten = true
            viewers[oldest.key] = nil
        }
        let viewer = PictureViewer(at: clock)
        viewers[userID] = viewer
        return viewer
    }

    // MARK: Asking

    /// On which terms a user may have a picture.
    ///
    /// - Returns: Nil when no hit that the user was shown names it, or it can't be fetched safely.
    func terms(of address: String, for userID: UInt32) -> (reach: PictureReach, isPrivate: Bool)? {
        let viewer = viewers[userID]
        for reach in [PictureReach.home, .open] {
            let mark = PictureMark(address, reach)
            if viewer?.contains(mark) == true { return (reach, false) }
            if viewer?.contains(mark.ofPrivateSearch) == true { return (reach, true) }
        }
        return nil
    }
}

/// What one user was shown.
///
/// `@unchecked Sendable` so that tasks may hold it: confined to the loop, as the `ShownPictures` that alone gives it
/// away.
final class PictureViewer: @unchecked Sendable {
    /// Whether it is known what earlier searches have brought.
    enum Recall {
        case due
        case running(Task<Void, Never>)
        case done
    }

    private var marks = ShownMarks()
    var recall = Recall.due
    /// When something was last shown, by the count of such times.
    fileprivate(set) var usedAt: UInt64
    fileprivate(set) var isForgotten = false

    fileprivate init(at usedAt: UInt64) {
        self.usedAt = usedAt
    }

    /// Changes when something that was noted is forgotten.
    var edition: UInt64 { marks.edition }

    func note(_ new: [PictureMark]) {
        for mark in new { marks.insert(mark) }
    }

    func contains(_ mark: PictureMark) -> Bool { marks.contains(mark) }
}

/// The pictures of an answer that is kept ready: notes at little cost that a user was shown them again.
///
/// `@unchecked Sendable` so that ready answers may hold it: confined to the loop, where sessions give them.
final class RepeatedPictures: @unchecked Sendable {
    private unowned let shown: ShownPictures
    private let marks: [PictureMark]
    /// Who was given the answer last; nothing is to be done for that user as long as nothing is forgotten.
    private var userID: UInt32 = 0
    private var viewer: PictureViewer?
    private var edition: UInt64 = 0

    fileprivate init(_ marks: [PictureMark], of shown: ShownPictures) {
        (self.marks, self.shown) = (marks, shown)
    }

    /// What it holds on to.
    var bytes: Int { 128 + marks.count * MemoryLayout<PictureMark>.stride }

    /// The answer was given again.
    func given(to userID: UInt32) {
        if let viewer, self.userID == userID, viewer.edition == edition, !viewer.isForgotten { return }
        guard let viewer = shown.viewer(userID) else { return }
        viewer.note(marks)
        (self.userID, self.viewer, edition) = (userID, viewer, viewer.edition)
    }
}
