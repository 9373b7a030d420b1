/// Why the daemon cannot start, and what the user can do.
struct StartError: Error, Equatable, Sendable {
    let message: String
    let hint: String
    let code: Code

    /// The exit status, a code of sysexits.h.
    enum Code: Int32, CaseIterable, Sendable {
        case usage = 64
        case unavailable = 69
        case defect = 70
        case cannotCreate = 73
        case notAllowed = 77
        case configuration = 78
    }

    init(_ message: String, hint: String, code: Code = .cannotCreate) {
        self.message = message
        self.hint = hint
        self.code = code
    }
}
