extension Actor {
    /// Runs a body in the isolation of this actor, whose executor is the loop that calls.
    ///
    /// It does what `assumeIsolated` does at a tenth of its cost, for handlers that are called for every message: instead
    /// of asking the runtime which executor is the current one, it checks that this is the loop's thread.
    ///
    /// - Parameters:
    ///   - loop: The actor's executor; debug builds check that it is.
    ///   - body: What to run; synchronously.
    /// - Returns: What the body returns.
    package nonisolated func onLoop<Result>(_ loop: EventLoop, _ body: (isolated Self) -> Result) -> Result {
        loop.checkIsolated()
        #if DEBUG
            preconditionIsolated("the loop is not this actor's executor")
        #endif
        // An isolated parameter is passed as any other: the types differ only in what the compiler checks, and the check
        // above has made sure of what it would have checked. The closure does not outlive the call.
        return withoutActuallyEscaping(body) { body in
            unsafe unsafeBitCast(body, to: ((Self) -> Result).self)(self)
        }
    }
}
