/// One change of a library: what its revision has made of it.
package struct LibraryChange: Equatable, Sendable {
    package internal(set) var revision: Int64
    package var inserted: [SavedItem] = []
    package var updated: [SavedItem] = []
    package var deleted: [String] = []

    package var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

/// How far someone who follows a library has come.
package struct LibraryPosition: Equatable, Sendable {
    let revision: Int64
    /// Of the rows with that revision the last that was read.
    let number: Int64
    /// The revision at which it all began: what was inserted later is new.
    let began: Int64
    /// What had been forgotten then: a file that was renewed meanwhile has other revisions.
    var forgotten: Int64?

    var isStart: Bool { number == .max }
}

extension LibraryPosition {
    /// After a revision, all of which is known; 0 for someone who knows nothing.
    package init(after revision: Int64) {
        self.init(revision: revision, number: .max, began: revision)
    }
}

/// A part of what has changed.
package struct LibraryChanges: Equatable, Sendable {
    /// A part ends once its items have so many bytes.
    package static let bytesMax = 256 << 10

    /// Its revision is the last of which nothing is missing.
    package let change: LibraryChange
    /// Where the next part begins; nil when there is none yet.
    package let next: LibraryPosition?
}
