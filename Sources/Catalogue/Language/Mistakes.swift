import SearchModel

/// What is wrong with a file: each mistake is noted where it is found, and reading continues.
///
/// A part that is wrong reads as if it were missing; the file is refused when anything was noted.
final class Mistakes {
    /// Mistakes beyond so many are not noted.
    static let countMax = 100

    private(set) var all: [CatalogueError] = []

    func note(_ error: CatalogueError) {
        if all.count < Self.countMax, !all.contains(error) { all.append(error) }
    }

    /// In the order of the file.
    var sorted: [CatalogueError] {
        all.enumerated()
            .sorted {
                ($0.element.line, $0.element.column, $0.offset) < ($1.element.line, $1.element.column, $1.offset)
            }
            .map(\.element)
    }
}

extension Declared {
    /// What is read here; nil when it is wrong, which is noted.
    func part<Value>(_ read: @autoclosure () throws(CatalogueError) -> Value) -> Value? {
        do throws(CatalogueError) {
            return try read()
        } catch {
            mistakes.note(error)
            return nil
        }
    }

    /// What is read here, if it is there; nil also when it is wrong, which is noted.
    func optional<Value>(_ read: @autoclosure () throws(CatalogueError) -> Value?) -> Value? {
        part(try read()) ?? nil
    }

    /// These elements, each read; those that are wrong are noted and left out.
    func all<Value>(
        _ elements: [Declared]?,
        _ read: (Declared) throws(CatalogueError) -> Value
    ) -> [Value] {
        var values: [Value] = []
        for element in elements ?? [] {
            if let value = part(try read(element)) { values.append(value) }
        }
        return values
    }

    /// The members of an object that may be missing; none when it is no object, which is noted.
    func members(of object: Declared?) -> [(name: String, value: Declared)] {
        guard let object, let members = part(try object.members()) else { return [] }
        return members
    }

    func note(_ message: String, hint: String? = nil) {
        mistakes.note(error(message, hint: hint))
    }

    /// For a whole whose parts are wrong; they have been noted.
    var spoiled: CatalogueError {
        mistakes.all.last ?? error("can't be read")
    }

    /// An object with these names; others are noted.
    func fields(_ names: [String]) throws(CatalogueError) -> DeclaredObject {
        let members = try members()
        var misspelt: [String: CatalogueError] = [:]
        for (name, value) in members where !names.contains(name) {
            let error = value.error("is not known here", hint: NearestName.hint(for: name, among: names))
            mistakes.note(error)
            if let meant = NearestName.of(name, among: names) { misspelt[meant] = error }
        }
        return DeclaredObject(declared: self, members: members, misspelt: misspelt)
    }
}
