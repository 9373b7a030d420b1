/// A named group of sources, as written.
package struct Profile: Equatable, Sendable {
    /// One element of the group: a list of alternatives, from which the first usable source is taken.
    package struct Entry: Equatable, Sendable {
        package static let alternativesMax = 16

        package let alternatives: [SourceSelector]

        package init(_ alternatives: [SourceSelector]) {
            self.alternatives = alternatives
        }
    }

    /// The profile for searches that name no source, unless the configuration sets another.
    package static let standard = "@default"
    /// The maximum number of profiles in a configuration.
    package static let countMax = 100
    package static let entriesMax = 64

    /// Begins with `@`.
    package let name: String
    /// A short description.
    package let about: String?
    package let entries: [Entry]

    package init(name: String, about: String? = nil, entries: [Entry]) {
        self.name = name
        self.about = about
        self.entries = entries
    }
}
