import Glibc

/// The environment variables of a process, asked one by one: the whole of it is never copied.
package struct Environment: Sendable {
    private let lookup: @Sendable (String) -> String?

    /// An environment of its own, for tests.
    package init(_ variables: [String: String]) {
        lookup = { variables[$0] }
    }

    /// The environment of this process, which nobody changes while it runs.
    package static let process = Environment { name in
        // The text is copied before anybody could change the environment; this program never does.
        guard let text = unsafe getenv(name) else { return nil }
        return unsafe String(cString: text)
    }

    private init(lookup: @escaping @Sendable (String) -> String?) {
        self.lookup = lookup
    }

    /// The variable's value; nil when it is missing or empty, which mean the same.
    package subscript(name: String) -> String? {
        guard let value = lookup(name), !value.isEmpty else { return nil }
        return value
    }

    /// A variable that names a directory; a relative path counts as none, as the base directory specification says.
    package func directory(_ name: String) -> String? {
        self[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}
