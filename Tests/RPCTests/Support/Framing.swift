import RPC

/// What a framer hands out.
enum FramedLine: Equatable {
    case line([UInt8])
    case tooLong

    static func text(_ text: String) -> FramedLine { .line(Array(text.utf8)) }
}

/// Drives a framer as a connection does; the lines it visits are copied during the visit, as long as they are valid.
struct Framing {
    /// Whether the visitor pauses at every line and is resumed until nothing more comes.
    var pauses = false
    private(set) var framer = LineFramer()
    private(set) var lines: [FramedLine] = []

    mutating func consume(_ bytes: some Collection<UInt8>) {
        let chunk = Array(bytes)
        unsafe drive { framer, visit in
            // The chunk outlives the call.
            unsafe chunk.withUnsafeBytes { unsafe framer.consume($0, visit: visit) }
        }
    }

    mutating func finish() {
        // No buffer leaves the visit.
        unsafe drive { framer, visit in unsafe framer.finish(visit: visit) }
    }

    private mutating func drive(_ step: (inout LineFramer, LineFramer.Visitor) -> Void) {
        var came: [FramedLine] = []
        let demand: LineFramer.Demand = pauses ? .pause : .more
        let visit: LineFramer.Visitor = { line in
            came.append(unsafe line.map { unsafe .line(Array($0)) } ?? .tooLong)
            return demand
        }
        // The visitor copies what it is given.
        unsafe step(&framer, visit)
        var before = 0
        while pauses, came.count > before {
            before = came.count
            unsafe framer.resume(visit: visit)
        }
        lines += came
    }

    /// All that a framer makes of an input that comes in pieces cut at these places.
    static func lines(of input: [UInt8], cutAt cuts: [Int], pauses: Bool = false) -> [FramedLine] {
        var framing = Framing(pauses: pauses)
        var start = 0
        for cut in cuts + [input.count] {
            framing.consume(input[start..<cut])
            start = cut
        }
        framing.finish()
        return framing.lines
    }

    /// What a framer must make of an input, said in the simplest way.
    static func expectedLines(of input: [UInt8]) -> [FramedLine] {
        input.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let trimmed = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            if trimmed.isEmpty { return nil }
            return trimmed.count > LineFramer.lineBytesMax ? .tooLong : .line(Array(trimmed))
        }
    }
}
