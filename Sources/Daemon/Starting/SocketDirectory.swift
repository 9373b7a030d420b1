import CPlatform
import EventLoop
import Glibc

/// The directory of a socket; no other user may change or replace files in it.
struct SocketDirectory {
    private static let linksMax = 40
    private static let ownHint =
        "Use a directory of your own. If XDG_RUNTIME_DIR is not your directory, run “unset XDG_RUNTIME_DIR”."

    private let userID: UInt32
    /// If true, missing parents are also created, and only this user can enter them.
    private let isPrivate: Bool

    static func prepare(_ path: String, userID: UInt32, isPrivate: Bool = false) throws(StartError) {
        let status = try SocketDirectory(userID: userID, isPrivate: isPrivate).check(path, isEnd: true, links: 0)
        guard !isPrivate || status.st_uid == userID && status.st_mode & 0o077 == 0 else {
            throw StartError("other users can enter \(path)", hint: "Run “chmod 700 \(path)”.", code: .notAllowed)
        }
    }

    private func check(_ path: String, isEnd: Bool, links: Int) throws(StartError) -> stat {
        let names = path.split(separator: "/")
        var status = try checkedDirectory("/", isEnd: isEnd && names.isEmpty)
        var location = ""
        for (index, name) in names.enumerated() {
            let parent = location
            location += "/\(name)"
            let isEnd = isEnd && index == names.count - 1
            if isEnd || isPrivate { try createIfMissing(location) }
            guard let bytes = SystemCall.target(ofLink: location) else {
                status = try checkedDirectory(location, isEnd: isEnd)
                continue
            }
            try checkOwner(try self.status(location), location)
            guard links < Self.linksMax, let target = String(validating: bytes, as: UTF8.self) else {
                throw StartError("\(location) is a broken link", hint: "Choose another socket path.")
            }
            status = try check(target.hasPrefix("/") ? target : "\(parent)/\(target)", isEnd: isEnd, links: links + 1)
        }
        return status
    }

    private func createIfMissing(_ location: String) throws(StartError) {
        // The kernel copies the path during the call.
        if unsafe mkdir(location, isPrivate ? 0o700 : 0o755) == 0 { return }
        let number = platform_errno()
        if number != EEXIST { throw failure(location, number) }
    }

    private func status(_ location: String) throws(StartError) -> stat {
        var status = stat()
        // The kernel fills the variable during the call.
        guard unsafe lstat(location, &status) == 0 else { throw failure(location, platform_errno()) }
        return status
    }

    private func failure(_ location: String, _ number: Int32) -> StartError {
        let isDenied = number == EACCES
        return StartError(
            "the socket's directory cannot be created: \(SystemError(call: location, number: number))",
            hint: isDenied ? Self.ownHint : "Create it, or set HOME or XDG_RUNTIME_DIR to a directory of yours.",
            code: isDenied ? .notAllowed : .cannotCreate
        )
    }

    private func checkOwner(_ status: stat, _ location: String) throws(StartError) {
        guard status.st_uid == 0 || status.st_uid == userID else {
            throw StartError(
                "\(location) belongs to user \(status.st_uid), who could replace the socket",
                hint: Self.ownHint
            )
        }
    }

    private func checkedDirectory(_ location: String, isEnd: Bool) throws(StartError) -> stat {
        let status = try status(location)
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw StartError("\(location) is not a directory", hint: "Choose another socket path.")
        }
        try checkOwner(status, location)
        let isSticky = status.st_mode & mode_t(S_ISVTX) != 0
        guard status.st_mode & 0o022 == 0 || (isSticky && !isEnd) else {
            let remedy = isSticky ? "Create a directory for the socket there." : "Run “chmod go-w \(location)”."
            throw StartError("other users can write to \(location)", hint: remedy)
        }
        return status
    }
}
