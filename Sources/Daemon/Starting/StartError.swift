import SearchModel

/// Why the daemon can't start, and what to do.
struct StartError: Error, Equatable, Sendable {
    let message: String
    let hint: String
    let code: Code
    /// Where in a file it is wrong.
    let location: FileLocation?

    /// What the exit status says, after sysexits.
    enum Code: Int32, CaseIterable, Sendable {
        case usage = 64
        case unavailable = 69
        case defect = 70
        case cannotCreate = 73
        case notAllowed = 77
        case configuration = 78
    }

    init(_ message: String, hint: String, code: Code = .cannotCreate, location: FileLocation? = nil) {
        self.message = message
        self.hint = hint
        self.code = code
        self.location = location
    }
}
