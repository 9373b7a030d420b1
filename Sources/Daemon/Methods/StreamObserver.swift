import Engine
import EventLoop
import JSON
import RPC
import SearchModel

/// Writes a search's progress as notifications of its request.
struct StreamObserver: SearchObserver {
    let stream: RequestStream
    let raw: Bool
    let tellsProgress: Bool

    func hits(_ hits: [HitPlace], from source: SourceName) async {
        var writer = JSONWriter()
        MessageWriter.notification("search/hits", to: &writer) { writer in
            writer.object { writer in
                writer.name("request")
                writer.raw(stream.id.text)
                writer.member("source", source.text)
                writer.name("hits")
                writer.array { writer in
                    for hit in hits {
                        writer.raw(HitBytes.text(of: hit, withRaw: raw))
                    }
                }
            }
        }
        writer.endLine()
        await stream.send(writer.bytes)
    }

    func waiting(_ notice: WaitNotice, on source: SourceName) async {
        var writer = JSONWriter()
        MessageWriter.notification("search/source", to: &writer) { writer in
            writer.object { writer in
                writer.name("request")
                writer.raw(stream.id.text)
                notice.write(of: source, to: &writer)
            }
        }
        writer.endLine()
        await stream.send(writer.bytes)
    }

    func progress(answered: Int, asked: Int) async {
        guard tellsProgress else { return }
        var writer = JSONWriter()
        MessageWriter.notification("search/progress", to: &writer) { writer in
            writer.object { writer in
                writer.name("request")
                writer.raw(stream.id.text)
                writer.member("answered", answered)
                writer.member("asked", asked)
            }
        }
        writer.endLine()
        await stream.send(writer.bytes)
    }

    func source(_ report: SourceReport) async {
        var writer = JSONWriter()
        let fields = ReportText(report).bytes(at: stream.board.loop.now)
        MessageWriter.notification("search/source", to: &writer) { writer in
            // The entry of the final answer, with the request it belongs to in front.
            var entry = Array("{\"request\":".utf8)
            entry.append(contentsOf: stream.id.text)
            entry.append(UInt8(ascii: ","))
            entry.append(contentsOf: fields.dropFirst())
            writer.raw(entry)
        }
        writer.endLine()
        await stream.send(writer.bytes)
    }
}
