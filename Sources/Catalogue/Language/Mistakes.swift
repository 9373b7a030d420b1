import SearchModel

/// Collects the mistakes in a file: each one is noted where it is found, and reading continues.
///
/// An invalid part is treated as missing. A file with any mistake is rejected.
final class Mistakes {
    /// Further mistakes are ignored.
    static let countMax = 100

    private(set) var all: [CatalogueError] = []

    func note(_ error: CatalogueError) {
        if all.count < Self.countMax, !all.contains(error) { all.append(error) }
    }

    /// All mistakes in file order.
    var sorted: [CatalogueError] {
        all.enumerated()
            .sorted {
                ($0.element.line, $0.element.column, $0.offset) < ($1.element.line, $1.element.column, $1.offset)
            }
            .map(\.element)
    }
}

extension Declared {
    /// Reads a value; notes a mistake and returns nil if it is invalid.
    func part<Value>(_ read: @autoclosure () throws(CatalogueError) -> Value) -> Value? {
        do throws(CatalogueError) {
            return try read()
        } catch {
            mistakes.note(error)
            return nil
        }
    }

    /// Reads an optional value; notes a mistake and returns nil if it is invalid.
    func optional<Value>(_ read: @autoclosure () throws(CatalogueError) -> Value?) -> Value? {
        part(try read()) ?? nil
    }

    /// Reads each element; notes and omits invalid ones.
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

    /// Returns the members of an optional object; notes a mistake and returns none if it is not an object.
    func members(of object: Declared?) -> [(name: String, value: Declared)] {
        guard let object, let members = part(try object.members()) else { return [] }
        return members
    }

    func note(_ message: String, hint: String? = nil) {
        mistakes.note(error(message, hint: hint))
    }

    /// The error for a value with invalid parts, whose mistakes have been noted already.
    var spoiled: CatalogueError {
        mistakes.all.last ?? error("can't be read")
    }

    /// Reads an object with these member names; notes all other names as mistakes.
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
