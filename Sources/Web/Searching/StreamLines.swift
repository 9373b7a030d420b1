import Client
import JSON
import RPC
import SearchModel

/// The JSON lines of a streamed search, which the script of the page reads.
enum StreamLines {
    static func line(of name: NotificationName, _ params: JSONCursor, _ pages: Pages) -> [UInt8] {
        switch name {
        case .hits:
            line { writer in
                writer.array(.hits) { writer in
                    for cursor in params[.hits]?.elements ?? [] {
                        let hit = FoundHit(cursor)
                        writer.object { writer in
                            writer.member("id", hit.id)
                            writer.member("kind", hit.kind)
                            writer.member("html", pages.hit(hit, isSaved: false).text)
                        }
                    }
                }
            }
        case .source:
            line { writer in
                let outcome = SourceOutcome(params)
                writer.member(.source, outcome.source)
                writer.member("html", pages.outcome(outcome).text)
            }
        default: []
        }
    }

    static func end(_ answer: JSONCursor, _ pages: Pages, next: String?) -> [UInt8] {
        line { writer in
            writer.name("end")
            writer.object { writer in
                writer.member(.order, raw: answer[.order]?.text ?? Array("[]".utf8)[...])
                if pages.caller == .user, let saved = answer[.saved] { writer.member(.saved, raw: saved.text) }
                writer.member("status", pages.status(of: answer).text)
                writer.member("more", pages.more(next)?.text)
            }
        }
    }

    static func failure(_ error: ClientError, _ pages: Pages) -> [UInt8] {
        line { writer in
            writer.name("failure")
            writer.object { writer in
                writer.member("code", error.code.rawValue)
                writer.member("status", pages.status(of: error).text)
            }
        }
    }

    private static func line(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        JSONWriter.bytes(ofObject: members) + [UInt8(ascii: "\n")]
    }
}
