/// A parameter that one source declares beyond the common ones, with the value as it goes upstream.
package struct SearchOption: Comparable, Hashable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    package static func < (left: SearchOption, right: SearchOption) -> Bool {
        (left.name, left.value) < (right.name, right.value)
    }
}
