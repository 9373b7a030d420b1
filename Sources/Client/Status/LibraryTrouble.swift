import JSON
import RPC
import SearchModel

/// What is wrong with this user's library, from `server/stats`; pure, and safe on a terminal.
struct LibraryTrouble: Equatable {
    let text: String
    let remedy: String
    /// Whether the library can't be used at all.
    let isFailure: Bool

    /// One clause.
    var headline: String { isFailure ? "your library can't be used" : "your library was damaged" }

    /// None when all is well, or when an older daemon does not tell.
    ///
    /// - Parameters:
    ///   - stats: The daemon's figures.
    ///   - clock: What time it is for the user.
    /// - Returns: What keeps it from being used before what was damaged.
    static func all(in stats: JSONCursor, clock: LocalClock) -> [LibraryTrouble] {
        guard let personal = stats[.personal] else { return [] }
        let failure = personal[.error].map { error in
            LibraryTrouble(
                text: VisibleText.visible(error[.message]?.string ?? "your library can't be used"),
                remedy: VisibleText.visible(error[.data]?[.hint]?.string ?? "“searchctl logs” may tell more."),
                isFailure: true
            )
        }
        return [failure].compactMap(\.self)
            + (personal[.damaged]?.elements ?? []).map { damage in
                let file = VisibleText.visible(damage[.file]?.string ?? "?")
                let time = damage[.at]?.string.flatMap(RFC3339.epochSeconds).map { " on \(clock.fullTime($0))" } ?? ""
                return LibraryTrouble(
                    text: "your library's file was damaged\(time); what could be read is in a new one",
                    remedy: "Compare, import what is missing, then remove what is left of it: \(file)",
                    isFailure: false
                )
            }
    }
}

extension DaemonConnection {
    /// How many items the user has saved; nil when the daemon does not tell.
    mutating func savedCount(id: Int, within seconds: Int) throws(ClientError) -> Int? {
        do throws(ClientError) {
            let params = JSONWriter.bytes { $0.member(.limit, 1) }
            return try ask(.libraryList, params: params, id: id, within: seconds)[.total]?.int
        } catch  where ![.interrupted, .connectionLost].contains(error.code) {
            return nil
        }
    }
}
