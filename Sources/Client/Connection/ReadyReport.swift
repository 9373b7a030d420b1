/// What a starting daemon says on the pipe it was given: one byte when it is ready, else why it is not; pure.
struct ReadyReport {
    /// More of an error than anybody reads.
    static let bytesMax = 4096
    private static let readyByte = UInt8(ascii: "R")

    private var text: [UInt8] = []

    enum Outcome: Equatable {
        case unfinished
        case ready
        /// With the daemon's own words, if it said any: what is wrong, and what to do.
        case failed(message: String?, hint: String?)
    }

    /// Takes what one read brought; nothing means that the daemon has closed its end.
    mutating func received(_ bytes: [UInt8]) -> Outcome {
        if text.isEmpty, bytes == [Self.readyByte] { return .ready }
        text.append(contentsOf: bytes.prefix(Self.bytesMax - text.count))
        guard bytes.isEmpty || text.count == Self.bytesMax else { return .unfinished }
        let lines = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline)
        let hint = lines.dropFirst().joined(separator: " ")
        return .failed(message: lines.first.map(String.init), hint: hint.isEmpty ? nil : hint)
    }
}
