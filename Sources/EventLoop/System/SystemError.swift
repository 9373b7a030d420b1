import CPlatform

/// A system call that failed.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The call's name, and what it was for where that helps.
    package let call: String
    package let number: Int32

    package init(call: String, number: Int32) {
        self.call = call
        self.number = number
    }

    /// The failure of the call that has just returned.
    static func last(_ call: String) -> SystemError {
        SystemError(call: call, number: platform_errno())
    }

    package var description: String {
        // The call writes at most `count` bytes into our buffer and ends them with NUL.
        let text = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let base = buffer.baseAddress else { return "error \(number)" }
            unsafe platform_error_text(number, base, buffer.count)
            return unsafe String(cString: base)
        }
        return "\(call): \(text)"
    }
}
