import JSON
import Personal
import RPC
import SearchModel

/// The state of one user's own data, which only that user is told.
struct PersonalFigures {
    /// Why it can't be used; nil when it can.
    var failure: SearchError?
    var condition = PersonalCondition()

    func write(to writer: inout JSONWriter) {
        if let failure {
            writer.name(.error)
            MessageWriter.error(failure, to: &writer)
        }
        writer.array(.damaged) { writer in
            for loss in condition.losses {
                writer.object { writer in
                    writer.member(.at, RFC3339.text(loss.at))
                    if let file = loss.file { writer.member(.file, file) }
                    if let copyAt = loss.copyAt { writer.member(.copyAt, RFC3339.text(copyAt)) }
                    writer.member(.restored, loss.restored)
                    writer.member(.lost, loss.lost)
                }
            }
        }
        writer.member(.file, condition.file)
        if let freeBytes = condition.freeBytes { writer.member(.free, freeBytes) }
        writer.array(.copies) { writer in
            for copy in condition.copies {
                writer.object { writer in
                    writer.member(.file, copy.file)
                    copy.write(to: &writer)
                }
            }
        }
    }
}

extension PersonalCopy {
    /// Writes when it was made, its size and its items.
    func write(to writer: inout JSONWriter) {
        writer.member(.at, RFC3339.text(at))
        writer.member(.bytes, bytes)
        writer.member(.items, items)
    }
}
