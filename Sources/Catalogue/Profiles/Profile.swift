/// A named group of sources, as it is written.
package struct Profile: Equatable, Sendable {
    /// One element of the group: of these, the first that stands for a source that can be asked.
    package struct Entry: Equatable, Sendable {
        package static let alternativesMax = 16

        package let alternatives: [SourceSelector]

        package init(_ alternatives: [SourceSelector]) {
            self.alternatives = alternatives
        }
    }

    /// What a search asks that names no source, unless the configuration says otherwise.
    package static let standard = "@default"
    /// So many profiles a configuration may have.
    package static let countMax = 100
    package static let entriesMax = 64

    /// Begins with `@`.
    package let name: String
    /// What is in it, in a few words.
    package let about: String?
    package let entries: [Entry]

    package init(name: String, about: String? = nil, entries: [Entry]) {
        self.name = name
        self.about = about
        self.entries = entries
    }
}
