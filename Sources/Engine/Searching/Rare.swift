/// What few have: eight bytes where there is none, however large it is.
///
/// Requests are copied several times, and thousands of them may be in flight.
@propertyWrapper
package struct Rare<Value: Sendable>: Sendable {
    /// At most one.
    private var values: [Value] = []

    package init(wrappedValue: Value?) {
        self.wrappedValue = wrappedValue
    }

    package var wrappedValue: Value? {
        get { values.first }
        set { values = newValue.map { [$0] } ?? [] }
    }
}
