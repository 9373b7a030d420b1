/// What the switchboard counts; exact, and never reset while the daemon runs.
struct Counters {
    var requestsByMethod: [String: Int] = [:]
    /// Searches answered straight from their parameters' bytes; also counted as requests.
    var repeatedSearches = 0
    var unknownMethods = 0
    var notifications = 0
    var refusedLines = 0
    var answersOK = 0
    var answersByError: [String: Int] = [:]
    var connectionsAccepted = 0
    var connectionsRefused = 0
    var connectionsStalled = 0
    var bytesIn = 0
    var bytesOut = 0
}
