import JSON
import Personal
import RPC
import SearchModel

/// What is wrong with one user's own data, which only that user is told.
struct PersonalFigures {
    /// Why it can't be used; nil when it can.
    var failure: SearchError?
    var damages: [PersonalDamage] = []

    func write(to writer: inout JSONWriter) {
        if let failure {
            writer.name(.error)
            MessageWriter.error(failure, to: &writer)
        }
        writer.array(.damaged) { writer in
            for damage in damages {
                writer.object { writer in
                    writer.member(.file, damage.file)
                    writer.member(.at, RFC3339.text(damage.at))
                }
            }
        }
    }
}
