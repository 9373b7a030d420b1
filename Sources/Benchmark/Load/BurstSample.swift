/// When the answers to requests came that were all sent at once, in nanoseconds from the first request.
struct BurstSample: Sendable {
    var first: Int64 = 0
    var last: Int64 = 0
    /// Answers that were errors or to another question.
    var wrong = 0
    /// The beginning of the first wrong one.
    var firstWrong: String?

    var spread: Int64 { last - first }
}
