/// A parameter beyond the common ones, as a caller gave it and the source's file allows it.
package struct Option: Hashable, Comparable, Sendable {
    package let name: String
    package let value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    package static func < (left: Option, right: Option) -> Bool {
        (left.name, left.value) < (right.name, right.value)
    }
}
