/// Prints what a property was tried on and how near it came to its bounds.
package func proved(_ figures: String) {
    print("proved: \(figures)")
}
