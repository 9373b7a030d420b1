import JSON
import RPC
import SearchModel

/// Everything that `doctor` has looked at, before anything is concluded from it.
struct DoctorFacts {
    /// One directory, and what it is for.
    struct Directory: Equatable {
        let purpose: String
        let path: String
        /// Nil when it is not there.
        let facts: PathFacts?
        /// Whether no other user may even look into it.
        var isSecret = false
        /// The files in it that others may read or change although it is secret.
        var openFiles: [PathFacts] = []
        /// Whether much is written into it.
        var isWritten = false
        /// What is left for this user.
        var freeBytes: Int?
    }

    struct Unit: Equatable {
        let name: String
        /// In systemd's word.
        let state: String
        let isUsers: Bool
    }

    var userID: UInt32
    /// Seconds since 1970.
    var now: Int64
    /// Where the daemon answers, or why none does.
    var connection: Result<String, ClientError>
    var socket: PathFacts?
    /// Where others could have put it, or a link that leads to it; nil when nowhere.
    var openDirectory: PathFacts?
    /// The system's, when the user's own daemon answers instead; nil when there is none.
    var systemSocket: PathFacts?
    var snapshot: DaemonSnapshot?
    /// How many items the user has saved; nil when it is not known.
    var savedCount: Int?
    var configuration = ConfigurationCheck.noProgram
    /// What shows all that is wrong with it.
    var checkCommand = "searchd --check"
    var directories: [Directory] = []
    /// The sources that were asked, and what went wrong with which.
    var asked: [String] = []
    var troubles: [String: ClientError] = [:]
    /// Whether the program that draws pictures is installed.
    var hasPictureProgram = true
    /// Those that are installed.
    var units: [Unit] = []

    /// Whose daemon it is; nil when none answers.
    var daemonUserID: UInt32? { snapshot?.userID }
}
