import Engine
import SearchModel

/// Tells a search's progress as notifications of its request.
struct StreamObserver: SearchObserver {
    let stream: RequestStream
    let raw: Bool
    let tellsProgress: Bool

    func hits(_ hits: [HitPosition], from source: SourceName) async {
        await stream.tell(.hits(hits, from: source, raw: raw))
    }

    func waiting(_ notice: WaitNotice, on source: SourceName) async {
        await stream.tell(.waiting(notice, on: source))
    }

    func progress(answered: Int, asked: Int) async {
        guard tellsProgress else { return }
        await stream.tell(.progress(answered: answered, asked: asked))
    }

    func source(_ report: SourceReport) async {
        await stream.tell(.source(report))
    }
}
