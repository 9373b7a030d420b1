import Glibc

/// Calls with a list of C strings that ends in NULL, as exec wants it; the list is valid during the call only.
package func withCStrings<Result>(
    _ strings: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> Result
) -> Result {
    // Each string is a copy of its own that is freed after the body; the list ends in NULL.
    var pointers = unsafe strings.map { unsafe strdup($0) }
    unsafe pointers.append(nil)
    defer { unsafe pointers.forEach { unsafe free($0) } }
    return unsafe pointers.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
}
