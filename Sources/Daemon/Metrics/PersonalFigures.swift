import JSON
import Personal
import RPC
import SearchModel

/// The state of one user's data, which only that user may see.
struct PersonalFigures {
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
                    writer.member(.file, loss.file)
                    writer.member(.copyAt, loss.copyAt.map { RFC3339.text($0) })
                    writer.member(.restored, loss.restored)
                    writer.member(.lost, loss.lost)
                }
            }
        }
        writer.member(.file, condition.file)
        writer.member(.free, condition.freeBytes)
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
    func write(to writer: inout JSONWriter) {
        writer.member(.at, RFC3339.text(at))
        writer.member(.bytes, bytes)
        writer.member(.items, items)
    }
}
