/// How much a reader takes on.
package struct JSONLimits: Equatable, Sendable {
    /// What one message on the wire may be.
    package static let wire = JSONLimits(depthMax: 64, bytesMax: 1 << 20)
    /// What an upstream answer or a file may be.
    package static let document = JSONLimits(depthMax: 64, bytesMax: 16 << 20, entriesMax: 1 << 20)

    /// No reader accepts a deeper limit, since trees are built and walked by recursion.
    package static let depthCeiling = 512
    /// No reader accepts a longer limit: an entry's count has 28 bits, and an element takes a byte at least.
    package static let bytesCeiling = 1 << 28 - 1

    /// How many arrays and objects may be open at a time.
    package let depthMax: Int
    /// How many bytes the text may have.
    package let bytesMax: Int
    /// How many entries the document may have, which takes sixteen bytes for each: values, and names of members.
    package let entriesMax: Int

    /// Limits above the ceilings, or below nothing, are a defect of the caller and trap.
    package init(depthMax: Int, bytesMax: Int, entriesMax: Int = .max) {
        precondition((0...Self.depthCeiling).contains(depthMax) && (0...Self.bytesCeiling).contains(bytesMax))
        self.depthMax = depthMax
        self.bytesMax = bytesMax
        self.entriesMax = entriesMax
    }
}
