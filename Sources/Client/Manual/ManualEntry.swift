/// Something with a name that a manual page explains.
package struct ManualEntry: Sendable {
    package let name: String
    /// What goes with the name: the word for an option's value, a key's type and default.
    package let form: String
    package let meaning: String

    init(_ name: String, _ form: String = "", _ meaning: String) {
        self.name = name
        self.form = form
        self.meaning = meaning
    }
}

extension Roff {
    mutating func entries(_ entries: [ManualEntry]) {
        for item in entries {
            entry(item.form.isEmpty ? item.name : "\(item.name) \(item.form)", item.meaning)
        }
    }
}
