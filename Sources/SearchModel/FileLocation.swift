/// Where in a file something is wrong.
package struct FileLocation: Equatable, Sendable {
    package let file: String
    /// From 1; nil when the whole file is meant.
    package let line: Int?
    /// In the file's tree, as `accounts.kakao.key`; nil for the file's own object.
    package let key: String?

    package init(file: String, line: Int?, key: String?) {
        self.file = file
        self.line = line
        self.key = key
    }
}
